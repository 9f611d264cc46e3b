import CloudSync
import HTTP
import NeuroViewsJSON

/// The conflicts of all of an account's configurations.
extension ConfigurationRoutes {
    var conflictRoutes: [RouteEntry] { [(.get, "/v2/conflicts", Endpoint(.session, allConflicts))] }

    private func allConflicts(_ context: RequestContext) async throws -> Response {
        let page = try await configurations.history.conflicts(
            before: context.before { AccountConflictCursor($0) },
            limit: context.pageLimit(),
            for: context.caller()
        )
        return .page(page, of: "conflicts", itemBytes: 384, next: { $1.string($0.cursor.text) }) { item, writer in
            Self.write(item, to: &writer)
        }
    }

    private static func write(_ conflict: AccountConflict, to writer: inout JSONWriter) {
        writer.member("configuration_id", string: conflict.configurationID)
        writer.member("configuration_name", optional: conflict.configurationName)
        writer.member("digest", string: conflict.digest)
        writer.member("base_version", string: conflict.baseVersion.text)
        writer.member("edited_at", string: conflict.editedAt)
        writer.member("received_at", string: conflict.receivedAt)
        write(conflict.device, to: &writer)
    }
}
