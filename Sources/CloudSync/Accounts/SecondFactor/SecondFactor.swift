import Credentials
import Net
import NeuroViewsCrypto
import Postgres
import Tracing

/// The proof besides the password.
package enum SecondFactor: Sendable {
    /// Six digits of an authenticator app.
    case code(String)
    /// A recovery code, as typed.
    case recoveryCode(String)
    /// The signed response of a passkey.
    case assertion(PasskeyAssertion)

    /// The error when another request was faster.
    var refusal: CloudSyncError {
        switch self {
        case .code: .codeRepeated
        case .recoveryCode: .problem(.codeInvalid)
        case .assertion: .passkeyRefused(.challenge)
        }
    }
}

/// The second step of a login.
package struct SecondFactorAttempt: Sendable {
    /// The challenge of the first step.
    package var challenge: String
    /// The proof.
    package var factor: SecondFactor
    /// The client's address; nil behind a Unix socket.
    package var address: IPAddress?
    /// The request's times.
    package var record: RequestRecord?

    /// Takes the values.
    package init(challenge: String, factor: SecondFactor, address: IPAddress? = nil, record: RequestRecord? = nil) {
        self.challenge = challenge
        self.factor = factor
        self.address = address
        self.record = record
    }
}

/// A factor that is checked but not spent yet. The statement `spend` returns no row when another request was faster.
struct CheckedFactor: Sendable {
    let spend: BoundQuery<Bool>
}

extension AccountService {
    /// A recovery code needs no separate check: the statement that spends it looks it up. With 80 bits it needs no
    /// limit of attempts.
    func checked(recoveryCode text: String, of userID: String) throws -> CheckedFactor {
        guard let code = RecoveryCode(text) else { throw CloudSyncError.problem(.codeInvalid) }
        return CheckedFactor(spend: TOTPSQL.spendRecoveryCode(.text(userID), .bytes(code.digest)))
    }

    /// Checks the app's code with the results of `TOTPSQL.beginCheck` and `wait`. Throws `.codeInvalid`,
    /// `.codeRepeated`, `.tooManyCodes`, and `absent` if the account has no app.
    func checked(
        code: String,
        of userID: String,
        _ found: (stored: [StoredTOTP], waits: [Int]),
        absent: CloudSyncError
    ) throws -> CheckedFactor {
        guard let wait = found.waits.first else { throw absent }
        guard let stored = found.stored.first else { throw CloudSyncError.tooManyCodes(retrySeconds: wait) }
        let totp = TOTP(secret: try opened(stored, of: userID))
        let now = settings.now()
        guard let step = totp.step(of: code, at: now, after: stored.lastStep) else {
            throw totp.step(of: code, at: now, after: nil) == nil ? CloudSyncError.problem(.codeInvalid) : .codeRepeated
        }
        return CheckedFactor(spend: TOTPSQL.spend(.text(userID), .bytes(stored.sealed), .int(step)))
    }

    func opened(_ stored: StoredTOTP, of userID: String) throws -> [UInt8] {
        try SealedSecret.open(stored.sealed, of: userID, with: masterKey(stored.masterKeyID))
    }

    /// To be called before a code is counted: during a rotation, this server may lack the new key for some seconds.
    /// Throws `.databaseUnavailable`.
    func requireMasterKeys(_ ids: [String]) throws {
        for id in ids { _ = try masterKey(id) }
    }

    private func masterKey(_ id: String) throws -> MasterKey {
        guard let master = keys[kid: id] else {
            throw CloudSyncError.databaseUnavailable(reason: "this server lacks the second factor's master key \(id)")
        }
        return master
    }
}
