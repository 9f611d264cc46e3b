import Net
import Tracing

/// The registration policy.
public enum RegistrationPolicy: String, CaseIterable, Sendable {
    /// Everybody may register.
    case open
    /// Registration needs an invitation.
    case invitation
    /// Nobody may register.
    case closed
}

/// A request for an account.
public struct RegistrationRequest: Sendable {
    /// The account's address.
    public var email: String
    /// The password as typed.
    public var password: String
    /// The token of an invitation.
    public var invitation: String?
    /// The client's address; nil behind a Unix socket.
    public var address: IPAddress?
    /// The request's times.
    public var record: RequestRecord?

    /// Takes the values.
    public init(
        email: String,
        password: String,
        invitation: String? = nil,
        address: IPAddress? = nil,
        record: RequestRecord? = nil
    ) {
        self.email = email
        self.password = password
        self.invitation = invitation
        self.address = address
        self.record = record
    }
}

/// The outcome of a registration.
public enum Registered: Sendable {
    /// An account was opened.
    case opened(User)
    /// A mail has the next step, even if the address has an account already.
    case mailed
}
