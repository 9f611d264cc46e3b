import Machine
import Settings

/// The addresses of the server that has the lock of a data folder, as lines behind its process number in the lock file.
/// Settings of a command beside it may name others: flags and a service manager's sockets go before them.
package struct ServedAddresses: Equatable, Sendable {
    package let main: ListenAddress
    package let admin: ListenAddress

    package init(main: ListenAddress, admin: ListenAddress) { (self.main, self.admin) = (main, admin) }

    /// Reads the lines. Nil before the server listens, for a lock that is no server's, and if this account may not read
    /// it.
    package init?(folder: String) {
        let path = DataDirectoryLock.path(folder)
        guard let text = try? FileDescriptor.readOwnText(path, maxBytes: 4096) else { return nil }
        let lines = text.split(separator: "\n").dropFirst().map { ListenAddress(orOff: String($0)) }
        guard lines.count == 2, let main = lines[0], let admin = lines[1] else { return nil }
        self.init(main: main, admin: admin)
    }

    var lines: String { "\(main)\n\(admin)\n" }
}
