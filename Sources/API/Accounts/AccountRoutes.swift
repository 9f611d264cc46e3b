import CloudSync
import HTTP
import NeuroViewsJSON

/// `/auth`: opening accounts and logging in.
struct AccountRoutes: Sendable {
    let accounts: AccountService
    let schemas: Schemas

    var routes: [RouteEntry] {
        [
            (.post, "/v2/auth/register", Endpoint(EndpointPolicy(.anybody, body: .collected(.usual)), register)),
            (.post, "/v2/auth/login", Endpoint(EndpointPolicy(.anybody, body: .collected(.usual)), logIn)),
        ]
    }

    private func register(_ context: RequestContext) async throws -> Response {
        let body = try await context.typedJSON(schemas["registration.json"])
        let registered = try await accounts.register(
            RegistrationRequest(
                email: body["email"]?.string ?? "",
                password: body["password"]?.string ?? "",
                invitation: body["invitation"]?.string,
                address: context.address,
                record: context.record
            )
        )
        guard case .opened(let user) = registered else { return AddressRoutes.mailed }
        return .json(.created) { writer in
            writer.member("user")
            Self.write(user, to: &writer)
        }
    }

    private func logIn(_ context: RequestContext) async throws -> Response {
        let body = try await context.typedJSON(schemas["login.json"])
        let login = try await accounts.logIn(
            LoginAttempt(
                email: body["email"]?.string ?? "",
                password: body["password"]?.string ?? "",
                deviceID: body["device_id"]?.string,
                deviceName: body["device_name"]?.string,
                address: context.address,
                record: context.record
            )
        )
        return Self.loggedIn(login)
    }

    /// The response to a login: a new session.
    static func loggedIn(_ login: Login) -> Response {
        .json(.ok) { writer in
            writer.member("token", string: login.token.text)
            writer.member("user")
            write(login.user, to: &writer)
            writer.member("expires_at", string: login.token.expiresAt)
            writer.member("signing_key", string: login.signingKey)
        }
    }

    static func write(_ user: User, to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("id", string: user.id)
        writer.member("email", string: user.email)
        writer.member("created_at", string: user.createdAt)
        writer.endObject()
    }
}
