import CloudSync
import HTTP
import NeuroViewsJSON

/// `/auth` and `/account`: operations proven by a mail to the account's address.
struct AddressRoutes: Sendable {
    let accounts: AccountService
    let schemas: Schemas

    /// The response when a mail has the details. It is the same for every address.
    static var mailed: Response { .json(.accepted) { _ in } }

    var routes: [RouteEntry] {
        let forAnybody = EndpointPolicy(.anybody, body: .collected(.usual))
        return [
            (.post, "/v2/auth/password-reset", Endpoint(forAnybody, requestReset)),
            (.post, "/v2/auth/password-reset/confirm", Endpoint(forAnybody, reset)),
            (.post, "/v2/auth/email/verify", Endpoint(forAnybody, verify)),
            (.post, "/v2/account/email", Endpoint(EndpointPolicy(.session, body: .collected(.usual)), requestAddress)),
        ]
    }

    private func requestReset(_ context: RequestContext) async throws -> Response {
        let body = try await context.typedJSON(schemas["password-reset.json"])
        try await accounts.requestReset(
            of: body["email"]?.string ?? "",
            from: context.address,
            record: context.record
        )
        return Self.mailed
    }

    private func reset(_ context: RequestContext) async throws -> Response {
        let body = try await context.json(schemas["password-reset-confirmation.json"])
        try await accounts.resetPassword(
            by: MailedToken(body["token"]?.string ?? ""),
            to: body["new_password"]?.string ?? "",
            record: context.record
        )
        return Response(.noContent)
    }

    private func verify(_ context: RequestContext) async throws -> Response {
        let body = try await context.json(schemas["email-verification.json"])
        try await accounts.verifyAddress(by: MailedToken(body["token"]?.string ?? ""), record: context.record)
        return Response(.noContent)
    }

    private func requestAddress(_ context: RequestContext) async throws -> Response {
        let body = try await context.typedJSON(schemas["email-change.json"])
        try await accounts.requestAddress(
            body["email"]?.string ?? "",
            password: body["password"]?.string ?? "",
            for: context.caller()
        )
        return Self.mailed
    }
}
