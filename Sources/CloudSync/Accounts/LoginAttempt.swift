import Net
import Tracing

/// A login by password.
package struct LoginAttempt: Sendable {
    /// The account's address, in any case.
    package var email: String
    /// The password.
    package var password: String
    /// The device of the new session.
    package var deviceID: String?
    /// Its name.
    package var deviceName: String?
    /// The client's address; nil behind a Unix socket.
    package var address: IPAddress?
    /// The request's times.
    package var record: RequestRecord?

    /// Takes the values.
    package init(
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
