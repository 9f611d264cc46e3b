import Glibc
import Machine
import Net
import PrivateCluster
import Settings

/// The sockets of a server: those that were passed, otherwise those of the settings.
struct Listeners {
    let main: Listener
    let mainAddress: ListenAddress
    /// Nil if it is off.
    let admin: Listener?

    /// The addresses in use, with the ports that the kernel chose.
    var addresses: ServedAddresses {
        ServedAddresses(main: mainAddress, admin: admin.map { ListenAddress($0.address) } ?? .off)
    }

    /// Throws `CommandFailure`.
    static func open(_ settings: Settings, _ inherited: InheritedSockets) throws -> Listeners {
        let passed = try inherited.main.map(InheritedSockets.listener)
        guard let main = try passed ?? open(settings.listen, flag: "--listen") else {
            throw CommandFailure("NEUROVIEWS_LISTEN is off: it must be \(ListenAddress.allowed).")
        }
        let admin = try inherited.admin.map(InheritedSockets.listener)
        return Listeners(
            main: main,
            mainAddress: passed == nil ? settings.listen.with(port: main.address.port) : ListenAddress(main.address),
            admin: try admin ?? open(settings.adminListen, flag: "--admin-listen")
        )
    }

    /// Returns nil if it is off. Throws `CommandFailure` with the flag in its message.
    static func open(_ address: ListenAddress, flag: String) throws -> Listener? {
        do {
            switch address {
            case .off: return nil
            case .unix(let path): return try Listener(unixPath: path)
            case .network(let host, let port, _):
                guard let address = SocketAddress(host: host, port: port) else {
                    throw CommandFailure("\(address) is not an address: write \(flag) 127.0.0.1:8080.")
                }
                return try Listener(address)
            }
        } catch let error as SystemError {
            throw CommandFailure(refusal(of: address, flag, error))
        }
    }

    private static func refusal(of address: ListenAddress, _ flag: String, _ error: SystemError) -> String {
        switch error.code {
        case EADDRINUSE: "\(address) is taken by another program: choose another address with \(flag)."
        case EEXIST: "\(address) is there and is no socket: remove it, or choose another path with \(flag)."
        case ENOENT: "The folder of \(address) is missing: make it, or choose another path with \(flag)."
        default: "Can't listen on \(address) (\(error)): choose another address with \(flag)."
        }
    }
}
