import CloudSync
import HTTP
import NeuroViewsJSON

/// `/analytics`: usage figures of an account.
struct UsageRoutes: Sendable {
    let usage: UsageService

    var routes: [RouteEntry] {
        [(.get, "/v2/analytics/usage", Endpoint(.session, figures))]
    }

    private func figures(_ context: RequestContext) async throws -> Response {
        let prefersCSV = AcceptedTypes(context.head.headers).prefersCSV
        let (days, zone, caller) = (try context.days(), try context.zone(), try context.caller())
        var response: Response = try await usage.usage(days, zone: zone, for: caller) { found in
            prefersCSV
                ? .tagged("text/csv; charset=utf-8; header=present", UsageCSV.text(found))
                : .tagged("application/json", UsageJSON.text(found))
        }
        response.fields.append("Vary", "Accept")
        return response
    }
}

extension Response {
    /// Content whose ETag is computed from the content. `Preconditions` turns it into a 304.
    static func tagged(_ contentType: String, _ content: [UInt8]) -> Response {
        Response(
            .ok,
            fields: [("Content-Type", contentType), ("ETag", EntityTag.of(content))],
            content: .bytes(content)
        )
    }
}
