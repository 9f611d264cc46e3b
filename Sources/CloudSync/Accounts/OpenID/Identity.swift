import Net
import Postgres
import Tracing

/// An identity at a provider that is linked to an account.
package struct LinkedIdentity: Sendable {
    /// UUID in lower case.
    package let id: String
    /// The provider's name for clients; nil if the settings no longer have it.
    package internal(set) var provider: String?
    /// The provider's name in tokens.
    package let issuer: String
    /// The address in the token at the time of the link.
    package let email: String?
    /// RFC 3339.
    package let createdAt: String

    init(_ columns: inout Columns) throws(UnexpectedResult) {
        id = try columns.next()
        issuer = try columns.next()
        email = try columns.next()
        createdAt = try columns.next()
    }
}

/// A login by an ID token.
package struct IDTokenLogin: Sendable {
    /// The token.
    package var proof: IDTokenProof
    /// The device of the new session.
    package var deviceID: String?
    /// Its name.
    package var deviceName: String?
    /// The token of an invitation, for a new account.
    package var invitation: String?
    /// The client's address; nil behind a Unix socket.
    package var address: IPAddress?
    /// The request's times.
    package var record: RequestRecord?

    /// Takes the values.
    package init(
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
