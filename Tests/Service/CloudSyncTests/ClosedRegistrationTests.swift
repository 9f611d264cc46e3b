import CloudSync
import Problems
import TestSupport
import Testing

/// Tokens of addresses without an account, mailed before registration was closed.
struct ClosedRegistrationTests {
    private static let email = "ada@example.org"

    @Test(
        "A token mailed before registration was closed opens no account until it is open again",
        arguments: ["registration", "reset"]
    )
    func mailed(kind: String) async throws {
        try await World.with { world in
            try await world.sql("SELECT request_registration('\(Self.email)', '-')")
            if kind == "reset" {
                try await world.sql("SELECT claim_mail('\\x00', 60); SELECT enqueue_mail('reset', '\(Self.email)')")
            }
            try await world.sql("SELECT claim_mail(sha256('\(kind)'), 60)")
            let rows: [(policy: RegistrationPolicy, problem: ProblemType?)] = [
                (.closed, .registrationClosed), (.invitation, .invitationRequired), (.open, nil),
            ]
            for (policy, problem) in rows {
                let accounts = try world.accounts(registration: policy)
                #expect(try await Self.use(kind, at: accounts, world) == problem)
                #expect(try await world.sql("SELECT FROM users").count == (problem == nil ? 1 : 0))
            }
        }
    }

    @Test("The tokens of an account work while registration is closed")
    func ofAccount() async throws {
        try await World.with { world in
            try await world.sql("SELECT open_account('\(Self.email)', '-')")
            try await world.sql("SELECT enqueue_mail('reset', '\(Self.email)')")
            try await world.sql("SELECT claim_mail(sha256('reset'), 60)")
            let accounts = try world.accounts(registration: .closed)
            #expect(try await Self.use("reset", at: accounts, world) == nil)
        }
    }

    /// Uses the token, a text. Returns the problem.
    private static func use(_ text: String, at accounts: AccountService, _ world: World) async throws -> ProblemType? {
        try await ProblemType.answering {
            try await Task(executorPreference: world.loops[0]) {
                let token = MailedToken(text)
                if text == "reset" {
                    try await accounts.resetPassword(by: token, to: "three quiet lenses")
                } else {
                    try await accounts.verifyAddress(by: token)
                }
            }.value
        }
    }
}
