import Net
import Tracing

/// A login by password.
public struct LoginAttempt: Sendable {
    /// The account's address, in any case.
    public var email: String
    /// The password.
    public var password: String
    /// The device of the new session.
    public var deviceID: String?
    /// Its name.
    public var deviceName: String?
    /// The client's address; nil behind a Unix socket.
    public var address: IPAddress?
    /// The request's times.
    public var record: RequestRecord?

    /// Takes the values.
    public init(
        email: String,
        password: String,
        deviceID: String? = nil,
        deviceName: String? = nil,
        address: IPAddress? = nil,
        record: RequestRecord? = nil
    ) {
        self.email = email
        self.password = password
        self.deviceID = deviceID
        self.deviceName = deviceName
        self.address = address
        self.record = record
    }
}
