import CloudSync
import HTTP
import NeuroViewsJSON

/// The conflicts of all of an account's configurations.
extension ConfigurationRoutes {
    var conflictRoutes: [RouteEntry] { [(.get, "/v2/conflicts", Endpoint(.session, allConflicts))] }

    private func allConflicts(_ context: RequestContext) async throws -> Response {
        let before = try context.parameter("before").map { text in
            guard let cursor = AccountConflictCursor(text) else {
                throw Problem(parameter: "before", "must be the value of next in an earlier response")
            }
            return cursor
        }
        let page = try await configurations.history.conflicts(
            before: before,
            limit: try context.limit() ?? Self.limitDefault,
            for: context.caller()
        )
        return .json(.ok, reservingBytes: 128 + page.items.count * 384) { writer in
            writer.member("conflicts")
            writer.beginArray()
            for item in page.items { Self.write(item, to: &writer) }
            writer.endArray()
            writer.member("has_more", bool: page.hasMore)
            writer.member("next", optional: page.hasMore ? page.items.last?.cursor.text : nil)
        }
    }

    private static func write(_ conflict: AccountConflict, to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("configuration_id", string: conflict.configurationID)
        writer.member("configuration_name", optional: conflict.configurationName)
        writer.member("digest", string: conflict.digest)
        writer.member("base_version", string: conflict.baseVersion.text)
        writer.member("edited_at", string: conflict.editedAt)
        writer.member("received_at", string: conflict.receivedAt)
        write(conflict.device, to: &writer)
        writer.endObject()
    }
}
