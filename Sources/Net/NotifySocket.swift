import CLinux
import Glibc

/// The datagram socket for status messages to a service manager (sd_notify(3)).
public struct NotifySocket: Sendable {
    private let path: String

    /// Takes `$NOTIFY_SOCKET`: an absolute path, or an abstract name with a leading `@`. Nil for anything else.
    public init?(_ path: String) {
        guard path.hasPrefix("/") || path.hasPrefix("@"), UnixAddress(path) != nil else { return nil }
        self.path = path
    }

    /// Sends `text`, lines of `NAME=value`. Throws `SystemError` if it can't be delivered.
    public func send(_ text: String) throws(SystemError) {
        guard let address = UnixAddress(path) else { return }
        let flags = Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        let descriptor = try SystemError.check(socket(AF_UNIX, flags, 0), "socket")
        defer { Glibc.close(descriptor) }
        let bytes = Array(text.utf8)
        let sent = address.withSystemAddress { pointer, length in
            sendto(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL), pointer, length)
        }
        guard sent == bytes.count else { throw SystemError(call: "sendto", code: errno) }
    }
}
