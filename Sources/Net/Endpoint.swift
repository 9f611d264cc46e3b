/// The address of a listener.
public enum Endpoint: Sendable, Hashable, CustomStringConvertible {
    /// An IP address and a port.
    case network(SocketAddress)
    /// The path of a Unix socket.
    case unix(path: String)

    /// The port; 0 for a Unix socket.
    public var port: UInt16 {
        switch self {
        case .network(let address): address.port
        case .unix: 0
        }
    }

    /// `127.0.0.1:8080`, `[::1]:8080` or `unix:/run/server.sock`.
    public var description: String {
        switch self {
        case .network(let address): address.description
        case .unix(let path): "unix:" + path
        }
    }
}
