import CloudSync
import Credentials
import HTTP
import NeuroViewsJSON

/// Passkeys: registration, removal and login. The messages are those of WebAuthn in its JSON forms.
struct PasskeyRoutes: Sendable {
    let accounts: AccountService
    let schemas: Schemas

    var routes: [RouteEntry] {
        let body = EndpointPolicy.Body.collected(.usual)
        return [
            (.post, "/v2/auth/passkey/options", Endpoint(.anybody, request)),
            (.post, "/v2/auth/passkey", Endpoint(EndpointPolicy(.anybody, body: body), logIn)),
            (.post, "/v2/account/passkeys/options", Endpoint(.session, begin)),
            (.post, "/v2/account/passkeys", Endpoint(EndpointPolicy(.session, body: body), add)),
            (.get, "/v2/account/passkeys", Endpoint(.session, list)),
            (.delete, "/v2/account/passkeys/{passkey}", Endpoint(.session, remove)),
        ]
    }

    private func request(_ context: RequestContext) async throws -> Response {
        let request = try accounts.requestPasskey()
        return .json(.ok) { PasskeyMessage.write(request, to: &$0) }
    }

    private func logIn(_ context: RequestContext) async throws -> Response {
        let body = try await context.json(schemas["passkey-login.json"])
        let login = try await accounts.logIn(
            PasskeyAttempt(
                assertion: try PasskeyMessage.assertion(body),
                deviceID: body["device_id"]?.string,
                deviceName: body["device_name"]?.string,
                address: context.address,
                record: context.record
            )
        )
        return AccountRoutes.loggedIn(login)
    }

    private func begin(_ context: RequestContext) async throws -> Response {
        let creation = try await accounts.beginPasskey(for: context.caller())
        return .json(.ok, reservingBytes: 1024 + creation.existing.count * 128) {
            PasskeyMessage.write(creation, to: &$0)
        }
    }

    private func add(_ context: RequestContext) async throws -> Response {
        let body = try await context.json(schemas["passkey-registration.json"])
        let passkey = try await accounts.addPasskey(
            PasskeyMessage.registration(body),
            name: body["name"]?.string,
            for: context.caller(),
            from: context.address
        )
        return .json(.created) { Self.write(passkey, to: &$0) }
    }

    private func list(_ context: RequestContext) async throws -> Response {
        let all = try await accounts.passkeys(of: context.caller())
        return .json(.ok, reservingBytes: 64 + all.count * 256) { writer in
            writer.list("passkeys", all) { passkey, writer in Self.write(passkey, to: &writer) }
        }
    }

    private func remove(_ context: RequestContext) async throws -> Response {
        try await accounts.removePasskey(context.uuid("passkey"), for: context.caller(), from: context.address)
        return Response(.noContent)
    }

    private static func write(_ passkey: ListedPasskey, to writer: inout JSONWriter) {
        writer.member("id", string: passkey.id)
        writer.member("name", optional: passkey.name)
        writer.member("created_at", string: passkey.createdAt)
        writer.member("last_used_at", optional: passkey.lastUsedAt)
    }
}
