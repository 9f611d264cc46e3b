import Credentials
import NeuroViewsCrypto
import Problems
import TestSupport
import Testing

@testable import CloudSync

/// Codes at a server that lacks the master key of an account's app: another server has rotated the key just now.
struct SecondFactorKeyTests {
    private static let secret: [UInt8] = Array(1...20)
    private static let challenge: [UInt8] = Array(0..<32)

    /// Adds an app to the account, and a login that waits for its code.
    private static func addApp(to caller: Caller, _ world: World) async throws {
        let key = World.keys.current
        let sealed = Hex.encode(try SealedSecret.seal(secret, of: caller.userID, with: key))
        try await world.sql(
            """
            INSERT INTO totp_secrets (user_id, sealed_secret, master_key_id, confirmed_at)
            VALUES ('\(caller.userID)', decode('\(sealed)', 'hex'), '\(key.kid)', now())
            """
        )
        try await world.sql(
            """
            INSERT INTO second_factor_challenges (digest, user_id, password_digest, attempts_left)
            SELECT sha256(decode('\(Hex.encode(challenge))', 'hex')), id, sha256(convert_to(password_hash, 'UTF8')), 5
            FROM users WHERE id = '\(caller.userID)'
            """
        )
    }

    @Test("A server that lacks the key of an app answers codes with 503 and counts none")
    func lacking() async throws {
        try await World.with { world in
            let caller = try await world.newAccount()[0]
            try await Self.addApp(to: caller, world)
            let code = TOTP(secret: Self.secret).code(step: TOTP.step(at: World.accountsNowS))
            let login = SecondFactorAttempt(challenge: Base64.url.encode(Self.challenge), factor: .code(code))
            let accounts = try world.accounts(keys: KeyRing(current: MasterKey(bytes: Array(1...32))))
            let requests: [String: @Sendable () async throws -> Void] = [
                "login": { _ = try await accounts.logIn(login) },
                "confirmation": { try await accounts.confirm(code: code, for: caller) },
                "removal": { try await accounts.removeTOTP(.code(code), for: caller, from: nil) },
            ]
            for (name, send) in requests {
                #expect(try await ProblemType.answering(send) == .databaseUnavailable, "\(name)")
            }
            let counted = "SELECT failures, attempts_left FROM totp_secrets, second_factor_challenges"
            let counts = try await world.sql(counted)
            #expect(counts[0].int(0) == 0 && counts[0].int(1) == 5)
            #expect(try await world.sql("SELECT FROM account_events").count == 0)
            _ = try await world.accounts().logIn(login)
        }
    }
}
