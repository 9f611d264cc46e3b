import CloudSync
import HTTP
import NeuroViewsJSON

/// `/configurations`: one item at a time. The list is in `ConfigurationRoutes+Delta.swift`, changes of an item are in
/// `ConfigurationRoutes+Merge.swift`, batches in `ConfigurationRoutes+Batch.swift`.
struct ConfigurationRoutes: Sendable {
    let configurations: ConfigurationService
    let schemas: Schemas
    let publicURL: String
    /// The rules of documents that are made here.
    let rules: DocumentRules

    /// Documents that are made here have at most `documentMaxBytes`, like sent documents.
    init(configurations: ConfigurationService, schemas: Schemas, publicURL: String, documentMaxBytes: Int) throws {
        self.configurations = configurations
        self.schemas = schemas
        self.publicURL = publicURL
        rules = DocumentRules(schema: try schemas["camera-configuration.json"], maxBytes: documentMaxBytes)
    }

    private static let patchPolicy = EndpointPolicy(.session, body: .collected(.usual), media: .mergePatch)

    var routes: [RouteEntry] {
        [
            (.get, "/v2/configurations", Endpoint(.session, delta)),
            (
                .post, "/v2/configurations",
                Endpoint(EndpointPolicy(.session, body: .collected(.usual), idempotency: .accepted), create)
            ),
            (
                .post, "/v2/configurations/batch",
                Endpoint(EndpointPolicy(.session, body: .collected(.batch), idempotency: .accepted), batch)
            ),
            (.get, "/v2/configurations/{id}", Endpoint(.session, get)),
            (.put, "/v2/configurations/{id}", Endpoint(EndpointPolicy(.session, body: .collected(.usual)), update)),
            (.patch, "/v2/configurations/{id}", Endpoint(Self.patchPolicy, patch)),
            (.delete, "/v2/configurations/{id}", Endpoint(.session, delete)),
        ] + historyRoutes + conflictRoutes
    }

    private func get(_ context: RequestContext) async throws -> Response {
        let stored = try await configurations.get(context.id(), for: context.caller())
        return .json(.ok, fields: [("ETag", EntityTag.of(stored.version))], stored.document)
    }

    private func create(_ context: RequestContext) async throws -> Response {
        let document = try await document(context)
        let created = try await configurations.create(
            document,
            context.writeConditions(),
            context.idempotencyKey(),
            for: context.caller()
        )
        return try created.response { receipt in
            let fields: FieldBlock = [
                ("Location", "\(context.publicURL)/configurations/\(receipt.id)"),
                ("ETag", EntityTag.of(receipt.version)),
            ]
            return .json(.created, fields: fields) { writer in
                writer.member("id", string: receipt.id)
                writer.member("created_at", string: receipt.changedAt)
            }
        }
    }

    private func delete(_ context: RequestContext) async throws -> Response {
        let deleted = try await configurations.delete(context.id(), context.writeConditions(), for: context.caller())
        return try deleted.response { receipt in
            .json(.ok, fields: [("ETag", EntityTag.of(receipt.version))]) { writer in
                writer.member("deleted_at", string: receipt.changedAt)
            }
        }
    }

    /// The document in `{ "configuration": … }`, in its original text.
    func document(_ context: RequestContext) async throws -> ConfigurationDocument {
        try await context.read { [schemas] body in
            guard let value = try JSONBody.value(body, schemas.configurationBody)["configuration"],
                let range = JSONText.range(ofMember: "configuration", in: body[...]),
                let document = ConfigurationDocument(text: body[range], value: value)
            else { throw Problem(.invalidJSON) }
            return document
        }
    }
}
