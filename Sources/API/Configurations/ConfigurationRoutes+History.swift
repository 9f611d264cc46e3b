import CloudSync
import HTTP
import NeuroViewsJSON

/// Earlier versions of an item, and the documents that lost a conflict. The conflicts of all items are in
/// `ConfigurationRoutes+Conflicts.swift`.
extension ConfigurationRoutes {
    /// Also for a text that is no tag, such as a number alone.
    private static let noVersion =
        "The configuration has no version with this tag. A tag has the form 2-60303ae22b99: GET "
        + "/configurations/{id}/versions lists them."

    var historyRoutes: [RouteEntry] {
        [
            (.get, "/v2/configurations/{id}/versions", Endpoint(.session, versions)),
            (.get, "/v2/configurations/{id}/versions/{version}", Endpoint(.session, version)),
            (
                .post, "/v2/configurations/{id}/restore",
                Endpoint(EndpointPolicy(.session, body: .collected(.usual), idempotency: .accepted), restore)
            ),
            (.get, "/v2/configurations/{id}/conflicts", Endpoint(.session, conflicts)),
            (.delete, "/v2/configurations/{id}/conflicts/{digest}", Endpoint(.session, deleteConflict)),
        ]
    }

    private func versions(_ context: RequestContext) async throws -> Response {
        let before = try context.before("must be a version number from 1") { VersionTag.number($0) }
        let page = try await configurations.history.versions(
            of: context.id(),
            before: before,
            limit: context.pageLimit(),
            for: context.caller()
        )
        let next: (ConfigurationVersion, inout JSONWriter) -> Void = { $1.integer(Int64($0.version.number)) }
        return .page(page, of: "versions", itemBytes: 192, next: next) { item, writer in
            Self.write(item, to: &writer)
        }
    }

    private func version(_ context: RequestContext) async throws -> Response {
        let id = try context.id()
        guard let number = VersionTag.number(context.parameters["version"] ?? "") else {
            let rule = "must be a number from 1 to 2147483646; of the tag 2-60303ae22b99 it is 2"
            throw Problem(parameter: "version", rule)
        }
        let stored = try await configurations.history.version(number, of: id, for: context.caller())
        return .json(.ok, fields: [("ETag", EntityTag.of(stored.version))], stored.document)
    }

    private func restore(_ context: RequestContext) async throws -> Response {
        let id = try context.id()
        let body = try await context.json(schemas["restore.json"])
        let restored = try await configurations.restoring.restore(
            body["version"]?.string.flatMap { VersionTag($0) },
            of: id,
            context.writeConditions(),
            context.idempotencyKey(),
            for: context.caller()
        )
        return try restored.response(absent: Self.noVersion) { receipt in
            .json(.ok, fields: [("ETag", EntityTag.of(receipt.version))]) { writer in
                writer.member("version", string: receipt.version.text)
                writer.member("updated_at", string: receipt.changedAt)
            }
        }
    }

    private func conflicts(_ context: RequestContext) async throws -> Response {
        let before = try context.before { ConflictCursor($0) }
        let page = try await configurations.history.conflicts(
            of: context.id(),
            before: before,
            limit: context.pageLimit(),
            for: context.caller()
        )
        return .page(page, of: "conflicts", itemBytes: 1024, next: { $1.string($0.cursor.text) }) { item, writer in
            Self.write(item, to: &writer)
        }
    }

    private func deleteConflict(_ context: RequestContext) async throws -> Response {
        let id = try context.id()
        guard let digest = ConflictDigest(context.parameters["digest"] ?? "") else {
            throw Problem(parameter: "digest", "must have 64 hexadecimal digits")
        }
        try await configurations.history.deleteConflict(digest, of: id, for: context.caller())
        return Response(.noContent)
    }
}

extension ConfigurationRoutes {
    private static func write(_ version: ConfigurationVersion, to writer: inout JSONWriter) {
        writer.member("version", string: version.version.text)
        writer.member("changed_at", string: version.changedAt)
        writer.member("edited_at", string: version.editedAt)
        write(version.device, to: &writer)
        writer.member("deleted", bool: version.isDeletion)
        writer.member("has_document", bool: version.hasDocument)
    }

    private static func write(_ lost: LostDocument, to writer: inout JSONWriter) {
        writer.member("digest", string: lost.digest)
        writer.member("base_version", string: lost.baseVersion.text)
        writer.member("edited_at", string: lost.editedAt)
        writer.member("received_at", string: lost.receivedAt)
        write(lost.device, to: &writer)
        writer.member("document", raw: lost.document)
    }

    static func write(_ device: DeviceReference?, to writer: inout JSONWriter) {
        writer.member("device")
        guard let device else { return writer.null() }
        writer.beginObject()
        writer.member("id", string: device.id)
        writer.member("name", optional: device.name)
        writer.endObject()
    }
}
