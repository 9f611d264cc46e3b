import CloudSync
import HTTP
import NeuroViewsJSON

/// Sign in with an OpenID provider, and the identities of an account.
struct OpenIDRoutes: Sendable {
    let accounts: AccountService
    let schemas: Schemas

    var routes: [RouteEntry] {
        let body = EndpointPolicy.Body.collected(.usual)
        return [
            (.post, "/v2/auth/oidc", Endpoint(EndpointPolicy(.anybody, body: body), logIn)),
            (.get, "/v2/account/identities", Endpoint(.session, list)),
            (.post, "/v2/account/identities", Endpoint(EndpointPolicy(.session, body: body), link)),
            (.delete, "/v2/account/identities/{identity}", Endpoint(.session, unlink)),
        ]
    }

    private func logIn(_ context: RequestContext) async throws -> Response {
        let body = try await context.json(schemas["id-token-login.json"])
        let login = try await accounts.logIn(
            IDTokenLogin(
                proof: IDTokenProof(body),
                deviceID: body["device_id"]?.string,
                deviceName: body["device_name"]?.string,
                invitation: body["invitation"]?.string,
                address: context.address,
                record: context.record
            )
        )
        return AccountRoutes.loggedIn(login)
    }

    private func list(_ context: RequestContext) async throws -> Response {
        let all = try await accounts.identities(of: context.caller())
        return .json(.ok) { writer in
            writer.list("identities", all) { identity, writer in Self.write(identity, to: &writer) }
        }
    }

    private func link(_ context: RequestContext) async throws -> Response {
        let proof = IDTokenProof(try await context.json(schemas["id-token.json"]))
        let identity = try await accounts.link(proof, for: context.caller(), from: context.address)
        return .json(.ok) { writer in
            writer.member("identity")
            writer.beginObject()
            Self.write(identity, to: &writer)
            writer.endObject()
        }
    }

    private func unlink(_ context: RequestContext) async throws -> Response {
        try await accounts.unlink(context.uuid("identity"), for: context.caller(), from: context.address)
        return Response(.noContent)
    }

    private static func write(_ identity: LinkedIdentity, to writer: inout JSONWriter) {
        writer.member("id", string: identity.id)
        writer.member("provider", optional: identity.provider)
        writer.member("issuer", string: identity.issuer)
        writer.member("email", optional: identity.email)
        writer.member("created_at", string: identity.createdAt)
    }
}

extension IDTokenProof {
    /// Reads the members of a body that its schema accepted.
    init(_ body: JSONValue) {
        self.init(
            provider: body["provider"]?.string ?? "",
            idToken: body["id_token"]?.string ?? "",
            nonce: body["nonce"]?.string ?? ""
        )
    }
}
