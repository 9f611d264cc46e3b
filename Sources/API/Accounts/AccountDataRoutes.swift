import CloudSync
import HTTP
import NeuroViewsJSON

/// `/account`: the data held about a person, and its erasure. The export is in `AccountDataRoutes+Export.swift`.
struct AccountDataRoutes: Sendable {
    let accounts: AccountService
    let exports: ExportService
    let erasure: AccountErasure
    let links: FileLinks
    let desk: UploadDesk
    let schemas: Schemas

    var routes: [RouteEntry] {
        [
            (.get, "/v2/account", Endpoint(.session, show)),
            (.delete, "/v2/account", Endpoint(EndpointPolicy(.session, body: .collected(.usual)), erase)),
            (.get, "/v2/account/events", Endpoint(.session, events)),
            (
                .get, "/v2/account/export",
                Endpoint(EndpointPolicy(.session, time: .minimumRate(Self.exportRate)), export)
            ),
        ]
    }

    private func show(_ context: RequestContext) async throws -> Response {
        let user = try await accounts.user(of: context.caller())
        return .json(.ok) { writer in
            writer.member("user")
            AccountRoutes.write(user, to: &writer)
        }
    }

    private func events(_ context: RequestContext) async throws -> Response {
        let page = try await accounts.events(
            before: context.before { AccountEventCursor($0) },
            limit: context.pageLimit(),
            for: context.caller()
        )
        return .page(page, of: "events", itemBytes: 256, next: { $1.string($0.cursor.text) }) { event, writer in
            Self.write(event, to: &writer)
        }
    }

    private static func write(_ event: AccountEvent, to writer: inout JSONWriter) {
        writer.member("id", string: event.id)
        writer.member("at", string: event.at)
        writer.member("kind", string: event.kind)
        writer.member("count", integer: Int64(event.count))
        writer.member("session_id", optional: event.sessionID)
        writer.member("device_id", optional: event.deviceID)
        writer.member("address", optional: event.address)
    }

    /// The erasure always follows once the account is unusable. The response shows how much was done at once.
    private func erase(_ context: RequestContext) async throws -> Response {
        let caller = try context.caller()
        try await accounts.confirm(context.typedJSON(schemas["confirmation.json"]), for: caller)
        try await erasure.begin(for: caller, from: context.address)
        desk.stop(ofUser: caller.userID)
        let report = await erasure.finish(caller.userID)
        return .json(report.isComplete ? .ok : .accepted) { writer in
            writer.member("erased")
            writer.beginObject()
            for kind in ErasureReport.Kind.allCases {
                writer.member(kind.rawValue, integer: Int64(report[kind]))
            }
            writer.member("bytes", integer: Int64(report.bytes))
            writer.endObject()
            writer.member("complete", bool: report.isComplete)
        }
    }
}
