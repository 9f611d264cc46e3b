import NeuroViewsCrypto
import NeuroViewsJSON
import NeuroViewsRules

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What the device remembers of its session. It is one secret, so that processes see all of a change or nothing.
struct SessionRecord: Equatable, Sendable {
    /// A token with its key. Another log in has another key.
    struct Login: Equatable, Sendable {
        /// 80 % of the hour that a token is good for.
        private static let dueAfterS: Int64 = 2880

        var token: String
        /// The 32 bytes that sign the session's requests.
        let key: [UInt8]
        /// The device's Unix time when the token arrived.
        var receivedAt: Int64
        /// The name of a refresh whose answer is not stored yet.
        var attempt: UUID?

        /// True if it is time for the next token. A clock that went back says nothing.
        func isDue(at now: Int64) -> Bool { now - receivedAt >= Self.dueAfterS }

        /// The time until then, at most all of it.
        func secondsUntilDue(at now: Int64) -> Int64 {
            min(max(0, Self.dueAfterS - (now - receivedAt)), Self.dueAfterS)
        }
    }

    /// The device's own name, the same at each log in. Nil until the first one.
    var deviceID: String?
    /// The system on which the record was written. A clone of it has another one.
    var systemID: String?
    /// Nil if nobody is logged in, also not with an ended session.
    var account: Account?
    /// Nil if the account must log in again.
    var login: Login?
    /// The reason why it must.
    var problem: Problem?
    /// True if the server refused the last automatic log in: only the user may try again.
    var isLogInRefused = false
    /// True if a deletion of the account was sent and has no answer.
    var isErasing = false
    /// What the server's clock is ahead, in seconds.
    var clockS: Int64 = 0

    var state: AccountState {
        guard let account else { return .signedOut }
        return login == nil ? .needsLogIn(account, problem) : .signedIn(account)
    }

    /// Forgets the session, since the server ended it.
    mutating func end(_ reason: Problem?) { (login, problem) = (nil, reason) }

    /// Takes a new session of the account, or of another one.
    mutating func begin(_ account: Account, _ login: Login) {
        (self.account, self.login, problem) = (account, login, nil)
        (isLogInRefused, isErasing) = (false, false)
    }

    /// Forgets the account. The device keeps its name.
    mutating func leave() {
        end(nil)
        account = nil
        (isLogInRefused, isErasing) = (false, false)
    }
}

extension SessionRecord.Login {
    /// Reads the answer to a log in. Nil if its key can sign nothing.
    init?(token: String?, key text: String?, receivedAt: Int64) {
        guard let token, !token.isEmpty, let text, let key = Base64.padded.decode(text), key.count == 32 else {
            return nil
        }
        self.init(token: token, key: key, receivedAt: receivedAt, attempt: nil)
    }
}

extension SessionRecord: CustomStringConvertible, CustomReflectable {
    var description: String { "SessionRecord" }
    var customMirror: Mirror { Mirror(self, children: []) }
}

extension SessionRecord.Login: CustomStringConvertible, CustomReflectable {
    var description: String { "Login" }
    var customMirror: Mirror { Mirror(self, children: []) }
}
