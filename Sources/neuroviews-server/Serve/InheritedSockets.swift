import Glibc
import Machine
import Net

/// The sockets that systemd opened for this process (sd_listen_fds(3)).
struct InheritedSockets: Equatable {
    /// The descriptors; nil if not passed.
    var main: Int32?
    var admin: Int32?

    /// The number of the first descriptor.
    private static let first: Int32 = 3

    /// Reads `LISTEN_FDS` and related variables. Sockets are assigned by the names `public` and `admin`. Without these
    /// names the first is the public listener and the second the admin listener.
    init(environment: [String: String], process: Int32) throws {
        guard environment["LISTEN_PID"] == String(process), let text = environment["LISTEN_FDS"] else { return }
        guard let count = Int32(text), (0...1024).contains(count) else {
            throw CommandFailure("LISTEN_FDS is \"\(text)\": it must be the number of sockets that are passed.")
        }
        let names = environment["LISTEN_FDNAMES"]?.split(separator: ":", omittingEmptySubsequences: false) ?? []
        if names.contains("public") || names.contains("admin") {
            try assign(names.map(String.init), count: count)
        } else {
            try assign(count: count)
        }
    }

    private mutating func assign(_ names: [String], count: Int32) throws {
        for (descriptor, name) in zip(Self.first..<Self.first + count, names) {
            switch name {
            case "public" where main == nil: main = descriptor
            case "admin" where admin == nil: admin = descriptor
            default:
                throw CommandFailure(
                    "The socket \"\(name)\" was passed: write FileDescriptorName=public or admin, each for one socket."
                )
            }
        }
    }

    private mutating func assign(count: Int32) throws {
        guard count <= 2 else {
            throw CommandFailure("\(count) sockets were passed: pass one for clients, and one for the admin listener.")
        }
        main = count > 0 ? Self.first : nil
        admin = count > 1 ? Self.first + 1 : nil
    }

    /// Makes a listener of a passed socket.
    static func listener(_ descriptor: Int32) throws -> Listener {
        do {
            return try Listener(inherited: descriptor)
        } catch {
            throw CommandFailure(
                "The passed socket with number \(descriptor) can't be used (\(error)): it must be a ListenStream= of a "
                    + "socket unit without Accept=yes."
            )
        }
    }
}
