import CloudSync
import HTTP
import NeuroViewsJSON

/// `/account/consents`: the consents of a person.
struct ConsentRoutes: Sendable {
    let consents: ConsentService
    let schemas: Schemas

    var routes: [RouteEntry] {
        [
            (.get, "/v2/account/consents", Endpoint(.session, list)),
            (.put, "/v2/account/consents", Endpoint(EndpointPolicy(.session, body: .collected(.usual)), put)),
        ]
    }

    private func list(_ context: RequestContext) async throws -> Response {
        Self.json(try await consents.all(for: context.caller()))
    }

    private func put(_ context: RequestContext) async throws -> Response {
        let named = try await context.json(schemas["consents.json"])["consents"]?.object?.members ?? []
        let changes = named.compactMap { member -> ConsentChange? in
            guard let category = ConsentCategory(rawValue: member.name), let isGranted = member.value["granted"]?.bool,
                let version = member.value["version"]?.string
            else { return nil }
            return ConsentChange(category, isGranted: isGranted, version: version)
        }
        guard changes.count == named.count else { throw Problem(.invalidJSON) }
        return Self.json(try await consents.change(changes, for: context.caller()))
    }

    private static func json(_ all: [Consent]) -> Response {
        .json(.ok) { writer in
            writer.member("consents")
            writer.beginObject()
            for consent in all {
                writer.member(consent.category.rawValue)
                writer.beginObject()
                writer.member("granted", bool: consent.isGranted)
                writer.member("version", optional: consent.version)
                writer.member("changed_at", optional: consent.changedAt)
                writer.endObject()
            }
            writer.endObject()
        }
    }
}
