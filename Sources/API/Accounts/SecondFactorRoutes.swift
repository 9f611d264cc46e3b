import CloudSync
import Credentials
import HTTP
import NeuroViewsJSON

/// The authenticator app of an account, and the second step of a login.
struct SecondFactorRoutes: Sendable {
    let accounts: AccountService
    let schemas: Schemas

    var routes: [RouteEntry] {
        let body = EndpointPolicy.Body.collected(.usual)
        return [
            (.post, "/v2/auth/second-factor", Endpoint(EndpointPolicy(.anybody, body: body), logIn)),
            (.post, "/v2/account/totp", Endpoint(.session, begin)),
            (.post, "/v2/account/totp/confirm", Endpoint(EndpointPolicy(.session, body: body), confirm)),
            (.delete, "/v2/account/totp", Endpoint(EndpointPolicy(.session, body: body), remove)),
        ]
    }

    private func logIn(_ context: RequestContext) async throws -> Response {
        let body = try await context.typedJSON(schemas["second-factor.json"])
        let login = try await accounts.logIn(
            SecondFactorAttempt(
                challenge: body["challenge"]?.string ?? "",
                factor: try Self.factor(body),
                address: context.address,
                record: context.record
            )
        )
        return AccountRoutes.loggedIn(login)
    }

    private func begin(_ context: RequestContext) async throws -> Response {
        let totp = try await accounts.beginTOTP(for: context.caller())
        return .json(.ok) { writer in
            writer.member("secret", string: totp.secret)
            writer.member("uri", string: totp.uri)
        }
    }

    private func confirm(_ context: RequestContext) async throws -> Response {
        let body = try await context.typedJSON(schemas["totp-code.json"])
        let code = body["code"]?.string ?? ""
        let codes = try await accounts.confirmTOTP(code: code, for: context.caller(), from: context.address)
        return .json(.ok) { writer in
            writer.member("recovery_codes")
            writer.beginArray()
            for code in codes { writer.string(code.text) }
            writer.endArray()
        }
    }

    private func remove(_ context: RequestContext) async throws -> Response {
        let body = try await context.typedJSON(schemas["totp-removal.json"])
        try await accounts.removeTOTP(Self.factor(body), for: context.caller(), from: context.address)
        return Response(.noContent)
    }

    /// The schemas require one of the three.
    private static func factor(_ body: JSONValue) throws -> SecondFactor {
        if body["assertion"] != nil { return .assertion(try PasskeyMessage.assertion(body)) }
        return body["code"]?.string.map(SecondFactor.code) ?? .recoveryCode(body["recovery_code"]?.string ?? "")
    }
}
