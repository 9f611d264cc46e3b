import Foundation
import TestSupport

/// A service manager's end of the notification socket (sd_notify(3)).
final class NotifyReceiver {
    let path = Sandbox.makeFolder() + "/notify"
    private let descriptor: Int32
    private(set) var messages: [String] = []

    init() throws {
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let status = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard status == 0 else { throw Program.Failure("no notification socket: \(errno)") }
    }

    deinit { close(descriptor) }

    /// Waits for a further message that contains `line`, and returns it.
    @discardableResult
    func await(_ line: String) throws -> String {
        var found: String?
        try Deadline.wait(line, seconds: 60) {
            while found == nil, let message = receive() {
                messages.append(message)
                if message.split(separator: "\n").contains(Substring(line)) { found = message }
            }
            return found != nil
        }
        return found ?? ""
    }

    private func receive() -> String? {
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = recv(descriptor, &bytes, bytes.count, 0)
        return count > 0 ? String(decoding: bytes[..<count], as: UTF8.self) : nil
    }
}
