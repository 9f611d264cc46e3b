import Net

/// The attempts that `AttemptLimits` counts.
package enum LimitedAttempt: Sendable {
    /// A guess of an account's password.
    case login(LoginAttempt)
    /// An ID token from an address. It shares the limit of failed logins from there.
    case idToken(IPAddress?)
    /// A guess of the password within a session.
    case passwordCheck(sessionID: String)
    /// A successful check of an account's passkey for a login.
    case passkeyLogin(userID: String)
    /// A registration from an address.
    case registration(IPAddress?)
    /// A request for a reset from an address.
    case reset(IPAddress?)

    /// The kinds of attempts. Each is counted separately.
    package enum Kind: String, Sendable, CaseIterable {
        case login, registration, reset
        case passwordCheck = "password"
        case passkeyLogin = "passkey"

        /// The time that an attempt counts.
        package var windowSeconds: Int { [.login, .passwordCheck].contains(self) ? 900 : 3600 }

        var isGivenBackOnSuccess: Bool { self == .login || self == .passwordCheck }

        static var longestSeconds: Int { allCases.map(\.windowSeconds).reduce(0, max) }
    }

    var kind: Kind {
        switch self {
        case .login, .idToken: .login
        case .passwordCheck: .passwordCheck
        case .passkeyLogin: .passkeyLogin
        case .registration: .registration
        case .reset: .reset
        }
    }
}

/// A limit that an attempt, or a write, has reached.
package struct ReachedLimit: Sendable {
    /// The name of the limit.
    package let name: String
    /// The time that an attempt or write counts.
    package let windowSeconds: Int
    /// The limit.
    package let limit: Int
    /// The seconds until there is room again.
    package let waitSeconds: Int

    init(_ kind: LimitedAttempt.Kind, limit: Int, waitSeconds: Int) {
        self.init(kind.rawValue, windowSeconds: kind.windowSeconds, limit: limit, waitSeconds: waitSeconds)
    }

    init(_ name: String, windowSeconds: Int, limit: Int, waitSeconds: Int) {
        self.name = name
        self.windowSeconds = windowSeconds
        self.limit = limit
        self.waitSeconds = waitSeconds
    }
}
