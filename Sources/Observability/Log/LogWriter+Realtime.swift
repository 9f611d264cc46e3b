import API
import Settings

extension LogWriter {
    /// Writes one line for the end of a socket. It has no data of messages.
    package func write(_ end: SocketEnd) {
        var fields: [(name: String, value: Value)] = [
            ("id", .text(end.id)),
            ("user", .text(end.account)),
            ("session", .text(end.session)),
            ("code", .number(end.code)),
            ("seconds", .number(end.seconds)),
            ("received", .number(end.received)),
            ("sent", .number(end.sent)),
            ("bytes", .number(end.bytes)),
        ]
        if let failure = end.failure { fields.append(("failure", .text(failure))) }
        write(end.failure == nil ? .info : .error, "socket closed", fields)
    }
}
