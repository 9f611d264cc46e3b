import CloudSync
import HTTP
import NeuroViewsJSON

/// `/account/quota`: the usage and the limits of an account.
struct QuotaRoutes: Sendable {
    let quotas: QuotaService

    var routes: [RouteEntry] { [(.get, "/v2/account/quota", Endpoint(.session, quota))] }

    private func quota(_ context: RequestContext) async throws -> Response {
        let use = try await quotas.use(of: context.caller())
        return .json(.ok) { writer in
            writer.list("quotas", use) { quota, writer in Self.write(quota, to: &writer) }
        }
    }

    private static func write(_ use: QuotaUse, to writer: inout JSONWriter) {
        writer.member("quota", string: use.quota.rawValue)
        writer.member("collection", optional: use.collection)
        writer.member("used", integer: Int64(use.used))
        writer.member("reserved", integer: Int64(use.reserved))
        writer.member("limit", optional: use.limit > 0 ? use.limit : nil)
    }
}
