import Net

/// What `AttemptLimits` counts.
public enum LimitedAttempt: Sendable {
    /// A guess of an account's password.
    case login(LoginAttempt)
    /// An ID token from an address. It counts with the failed logins from there.
    case idToken(IPAddress?)
    /// A guess of the password within a session.
    case passwordCheck(sessionID: String)
    /// A login by an account's passkey, which was right.
    case passkeyLogin(userID: String)
    /// A new account, asked for from an address.
    case registration(IPAddress?)
    /// A reset of a password, asked for from an address.
    case reset(IPAddress?)

    /// Kinds are counted apart from each other.
    public enum Kind: String, Sendable, CaseIterable {
        case login, registration, reset
        case passwordCheck = "password"
        case passkeyLogin = "passkey"

        /// For how long an attempt counts.
        public var windowSeconds: Int { [.login, .passwordCheck].contains(self) ? 900 : 3600 }

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

/// A limit that an attempt, or a write, has met.
public struct ReachedLimit: Sendable {
    /// What is counted.
    public let name: String
    /// For how long something counts.
    public let windowSeconds: Int
    /// How many pass.
    public let limit: Int
    /// When there is room again.
    public let waitSeconds: Int

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
