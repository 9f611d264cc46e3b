import CloudSync
import HTTP
import NeuroViewsJSON

/// `/auth`: operations of a session on itself, on the account's other sessions, and on the password.
struct SessionRoutes: Sendable {
    let accounts: AccountService
    let schemas: Schemas

    var routes: [RouteEntry] {
        [
            (
                .post, "/v2/auth/refresh",
                Endpoint(EndpointPolicy(.refreshableSession, body: .collected(.usual)), refresh)
            ),
            (.post, "/v2/auth/logout", Endpoint(.session, logOut)),
            (.get, "/v2/auth/sessions", Endpoint(.session, list)),
            (.delete, "/v2/auth/sessions", Endpoint(.session, endOthers)),
            (.delete, "/v2/auth/sessions/{session}", Endpoint(.session, end)),
            (.post, "/v2/auth/confirm", Endpoint(EndpointPolicy(.session, body: .collected(.usual)), confirm)),
            (.post, "/v2/auth/password", Endpoint(EndpointPolicy(.session, body: .collected(.usual)), changePassword)),
        ]
    }

    private func refresh(_ context: RequestContext) async throws -> Response {
        // The body is optional.
        let body = try await context.body.isEmpty ? nil : context.json(schemas["refresh.json"])
        let token = try await accounts.refresh(
            context.caller(),
            attempt: body?["attempt"]?.string,
            from: context.address
        )
        return .json(.ok) { writer in
            writer.member("token", string: token.text)
            writer.member("expires_at", string: token.expiresAt)
        }
    }

    private func logOut(_ context: RequestContext) async throws -> Response {
        try await accounts.logOut(context.caller())
        return Response(.noContent)
    }

    private func list(_ context: RequestContext) async throws -> Response {
        let all = try await accounts.sessions(of: context.caller())
        return .json(.ok, reservingBytes: 64 + all.count * 256) { writer in
            writer.list("sessions", all) { session, writer in Self.write(session, to: &writer) }
        }
    }

    private func endOthers(_ context: RequestContext) async throws -> Response {
        try await accounts.endOtherSessions(of: context.caller())
        return Response(.noContent)
    }

    private func end(_ context: RequestContext) async throws -> Response {
        try await accounts.endSession(context.uuid("session"), for: context.caller())
        return Response(.noContent)
    }

    private func confirm(_ context: RequestContext) async throws -> Response {
        try await accounts.confirm(context.typedJSON(schemas["confirmation.json"]), for: context.caller())
        return Response(.noContent)
    }

    private func changePassword(_ context: RequestContext) async throws -> Response {
        let body = try await context.json(schemas["password-change.json"])
        let login = try await accounts.changePassword(
            from: body["current_password"]?.string ?? "",
            to: body["new_password"]?.string ?? "",
            for: context.caller(),
            at: context.address
        )
        return AccountRoutes.loggedIn(login)
    }

    private static func write(_ session: ListedSession, to writer: inout JSONWriter) {
        writer.member("id", string: session.id)
        writer.member("device_id", optional: session.deviceID)
        writer.member("device_name", optional: session.deviceName)
        writer.member("address", optional: session.address)
        writer.member("created_at", string: session.createdAt)
        writer.member("last_used_at", string: session.lastUsedAt)
        writer.member("current", bool: session.isCurrent)
    }
}

extension AccountService {
    /// Confirms the session by the proof in the body. Throws the errors of that kind of proof.
    func confirm(_ body: JSONValue, for caller: Caller) async throws {
        if body["assertion"] != nil {
            try await confirm(PasskeyMessage.assertion(body), for: caller)
        } else if body["id_token"] != nil {
            try await confirm(IDTokenProof(body), for: caller)
        } else if let code = body["code"]?.string {
            try await confirm(code: code, for: caller)
        } else {
            try await confirm(password: body["password"]?.string ?? "", for: caller)
        }
    }
}
