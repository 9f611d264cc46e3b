import Net
import Tracing

/// The registration policy.
package enum RegistrationPolicy: String, CaseIterable, Sendable {
    /// Everybody may register.
    case open
    /// Registration needs an invitation.
    case invitation
    /// Nobody may register.
    case closed
}

/// A request for an account.
package struct RegistrationRequest: Sendable {
    /// The account's address.
    package var email: String
    /// The password as typed.
    package var password: String
    /// The token of an invitation.
    package var invitation: String?
    /// The client's address; nil behind a Unix socket.
    package var address: IPAddress?
    /// The request's times.
    package var record: RequestRecord?

    /// Takes the values.
    package init(
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
package enum Registered: Sendable {
    /// An account was opened.
    case opened(User)
    /// A mail has the next step, even if the address has an account already.
    case mailed
}
