import NeuroViewsJSON
import NeuroViewsRules

/// The outcome of a log in.
public enum LogIn: Sendable {
    /// The account is logged in.
    case done(Account)
    /// The password is right; the account wants a second factor, too: ``NeuroViews/finishLogIn(_:with:)``.
    case secondFactor(Challenge)
}

/// A log in that waits for its second factor: 5 minutes and 5 attempts.
public struct Challenge: Sendable {
    /// The factors that the account has: `code`, `recovery_code`, `assertion`. There may be more.
    public let methods: [String]
    let secret: String

    /// Reads the server's problem; nil if it is another one.
    init?(_ problem: NeuroViewsRules.Problem) {
        guard problem.code == "second-factor-required", let secret = problem.members["challenge"]?.string else {
            return nil
        }
        self.secret = secret
        methods = (problem.members["methods"]?.array ?? []).compactMap(\.string)
    }
}

/// A second factor.
public enum Factor: Sendable {
    /// What the authenticator app shows now. Spaces and dashes do not count.
    case code(String)
    /// One of the codes that were shown when the app was added; it works once.
    case recoveryCode(String)
    /// The result of a passkey, as in ``Credentials/passkey(assertion:)``.
    case assertion(JSONValue)
}

extension Factor {
    /// The member of a body.
    var member: JSONObject.Member {
        switch self {
        case .code(let code): .text("code", code)
        case .recoveryCode(let code): .text("recovery_code", code)
        case .assertion(let assertion): .init(name: "assertion", value: JSON(assertion))
        }
    }
}

extension Challenge: CustomStringConvertible, CustomReflectable {
    /// The factors, without the secret.
    public var description: String { "Challenge(\(methods.joined(separator: ", ")))" }

    /// The factors, without the secret.
    public var customMirror: Mirror { Mirror(self, children: ["methods": methods]) }
}

extension Factor: CustomStringConvertible, CustomReflectable {
    /// The kind alone.
    public var description: String {
        switch self {
        case .code: "Factor.code"
        case .recoveryCode: "Factor.recoveryCode"
        case .assertion: "Factor.assertion"
        }
    }

    /// Nothing: a dump has no secrets.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
