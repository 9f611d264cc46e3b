import Net
import Postgres
import Tracing

/// An identity at a provider that is linked to an account.
public struct LinkedIdentity: Sendable {
    /// UUID in lower case.
    public let id: String
    /// The provider's name for clients; nil if the settings no longer have it.
    public internal(set) var provider: String?
    /// The provider's name in tokens.
    public let issuer: String
    /// The address in the token at the time of the link.
    public let email: String?
    /// RFC 3339.
    public let createdAt: String

    init(_ columns: inout Columns) throws(UnexpectedResult) {
        id = try columns.next()
        issuer = try columns.next()
        email = try columns.next()
        createdAt = try columns.next()
    }
}

/// A login by an ID token.
public struct IDTokenLogin: Sendable {
    /// The token.
    public var proof: IDTokenProof
    /// The device of the new session.
    public var deviceID: String?
    /// Its name.
    public var deviceName: String?
    /// The token of an invitation, for a new account.
    public var invitation: String?
    /// The client's address; nil behind a Unix socket.
    public var address: IPAddress?
    /// The request's times.
    public var record: RequestRecord?

    /// Takes the values.
    public init(
        proof: IDTokenProof,
        deviceID: String? = nil,
        deviceName: String? = nil,
        invitation: String? = nil,
        address: IPAddress? = nil,
        record: RequestRecord? = nil
    ) {
        self.proof = proof
        self.deviceID = deviceID
        self.deviceName = deviceName
        self.invitation = invitation
        self.address = address
        self.record = record
    }
}
