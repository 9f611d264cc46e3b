import Credentials
import Net
import NeuroViewsCrypto
import Postgres

/// A secret for an authenticator app.
package struct NewTOTP: Sendable {
    /// Base32, for manual input.
    package let secret: String
    /// For a QR code.
    package let uri: String
}

extension AccountService {
    private static let issuer = "NeuroViews Cloud"

    /// Makes a secret. It is in use after its first code. Until then another call replaces it. Throws
    /// `.confirmationRequired`, `.secondFactorExists`.
    package func beginTOTP(for caller: Caller) async throws -> NewTOTP {
        let user = Parameter.text(caller.userID)
        let secret = try TOTP.newSecret()
        let master = keys.current
        let sealed = try SealedSecret.seal(secret, of: caller.userID, with: master)
        let (_, begun, accounts) = try await database.write(
            for: caller,
            SessionSQL.requireConfirmation(.text(caller.sessionID)),
            TOTPSQL.begin(user, .bytes(sealed), .text(master.kid)),
            AccountSQL.email(user)
        )
        guard !begun.isEmpty, let email = accounts.first else { throw CloudSyncError.problem(.secondFactorExists) }
        let totp = TOTP(secret: secret)
        return NewTOTP(secret: totp.secretText, uri: totp.uri(issuer: Self.issuer, account: email))
    }

    /// Activates the secret and returns the recovery codes, which are shown only once. Throws `.confirmationRequired`,
    /// `.notFound`, `.secondFactorExists`, `.codeInvalid`.
    package func confirmTOTP(
        code: String,
        for caller: Caller,
        from address: IPAddress?
    ) async throws -> [RecoveryCode] {
        let user = Parameter.text(caller.userID)
        let confirmation = SessionSQL.requireConfirmation(.text(caller.sessionID))
        let (_, found) = try await database.write(for: caller, confirmation, TOTPSQL.read(user))
        guard let stored = found.first else { throw CloudSyncError.problem(.notFound) }
        guard !stored.isConfirmed else { throw CloudSyncError.problem(.secondFactorExists) }
        let totp = TOTP(secret: try opened(stored, of: caller.userID))
        guard let step = totp.step(of: code, at: settings.now(), after: nil) else {
            throw CloudSyncError.problem(.codeInvalid)
        }
        let codes = try RecoveryCode.newSet()
        let digests = Parameter.bytes(codes.flatMap(\.digest))
        let confirm = TOTPSQL.confirm(user, .bytes(stored.sealed), .int(step), digests)
        try await database.transaction(for: caller) { transaction in
            guard try await !transaction.run(confirm).isEmpty else { throw CloudSyncError.problem(.secondFactorExists) }
            try await transaction.commit([AccountEventSQL.note(.totpAdded, by: caller, from: address).step])
        }
        return codes
    }

    /// Removes the app and its recovery codes, even if it is not in use yet. Throws `.confirmationRequired`,
    /// `.notFound`, `.codeInvalid`, `.codeRepeated`, `.tooManyCodes`, `.passkeyRefused`.
    package func removeTOTP(_ factor: SecondFactor, for caller: Caller, from address: IPAddress?) async throws {
        let confirmation = SessionSQL.requireConfirmation(.text(caller.sessionID))
        _ = try await database.write(for: caller, confirmation)
        let steps = [
            TOTPSQL.remove(.text(caller.userID)).step,
            AccountEventSQL.note(.totpRemoved, by: caller, from: address).step,
        ]
        try await notingFailure(of: caller.userID, in: caller.sessionID, caller.record) {
            let checked = try await checked(factor, for: caller, unused: true, absent: .problem(.notFound))
            try await database.transaction(for: caller) { transaction in
                guard try await !transaction.run(checked.spend).isEmpty else { throw factor.refusal }
                try await transaction.commit(steps)
            }
        }
    }

    /// Confirms the session by a code of the app. Throws `.codeInvalid`, `.codeRepeated`, `.tooManyCodes`.
    package func confirm(code: String, for caller: Caller) async throws {
        try await notingFailure(of: caller.userID, in: caller.sessionID, caller.record) {
            let factor = SecondFactor.code(code)
            let checked = try await checked(factor, for: caller, unused: false, absent: .problem(.codeInvalid))
            try await confirm(checked, for: caller, else: factor.refusal)
        }
    }

    /// Spends the factor and confirms the session.
    func confirm(_ checked: CheckedFactor, for caller: Caller, else refusal: CloudSyncError) async throws {
        let confirm = SessionSQL.confirm(.text(caller.userID), .text(caller.sessionID))
        try await database.transaction(for: caller) { transaction in
            // Sessions are locked before the factor, like in a login.
            let (_, spent) = try await transaction.run(confirm, checked.spend)
            guard !spent.isEmpty else { throw refusal }
            try await transaction.commit([])
        }
    }

    private func checked(
        _ factor: SecondFactor,
        for caller: Caller,
        unused: Bool,
        absent: CloudSyncError
    ) async throws -> CheckedFactor {
        let (user, unused) = (Parameter.text(caller.userID), Parameter.bool(unused))
        switch factor {
        case .code(let code):
            let known = try await database.read(for: caller, TOTPSQL.read(user))
            try requireMasterKeys(known.map(\.masterKeyID))
            let found = try await database.write(
                for: caller,
                TOTPSQL.beginCheck(user, .int(TOTPSQL.failuresMax), unused),
                TOTPSQL.wait(user, unused)
            )
            return try self.checked(code: code, of: caller.userID, found, absent: absent)
        case .recoveryCode(let code):
            guard try await !database.write(for: caller, TOTPSQL.wait(user, unused)).isEmpty else { throw absent }
            return try self.checked(recoveryCode: code, of: caller.userID)
        case .assertion(let assertion):
            let (waits, found) = try await database.write(
                for: caller,
                TOTPSQL.wait(user, unused),
                PasskeySQL.find(assertion, of: caller.userID)
            )
            guard !waits.isEmpty else { throw absent }
            return try self.checked(assertion, by: found.first)
        }
    }
}
