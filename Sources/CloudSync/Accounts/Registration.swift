import Net

/// Who may register.
public enum RegistrationPolicy: String, CaseIterable, Sendable {
    /// Everybody.
    case open
    /// Who was invited.
    case invitation
    /// Nobody.
    case closed
}

/// Who wants an account.
public struct RegistrationRequest: Sendable {
    /// The account's address.
    public var email: String
    /// The password as it was typed.
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
    /// There is an account.
    case opened(User)
    /// A mail says how to go on, whether or not there was an account.
    case mailed
}
