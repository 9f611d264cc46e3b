import HTTP
import Net

/// The hosts by which operators may address the admin listener: IP addresses and some names. A web page that gives its
/// own host name the address of this listener (DNS rebinding) would otherwise read the metrics.
package struct AdminHosts: Sendable {
    private let names: Set<String>

    /// Takes names, or hosts of URLs with their ports.
    package init(_ names: [String]) { self.names = Set(names.map { Self.name(of: $0[...]) }) }

    /// Returns true if the host of a request is acceptable. Forwarded fields count for nothing: a page can send them.
    /// Browsers neither leave out the host nor use a Unix socket, which is a peer without an address.
    func accept(_ request: Request) -> Bool {
        guard request.peer != nil, let host = request.head.host else { return true }
        let name = Self.name(of: host[...])
        return IPAddress(name) != nil || names.contains(name)
    }

    /// The host in lower case, without its port, its brackets, and the dot at the end of a full name.
    private static func name(of host: Substring) -> String {
        if host.hasPrefix("[") { return String(host.dropFirst().prefix { $0 != "]" }) }
        let name = host.prefix { $0 != ":" }.lowercased()
        return name.hasSuffix(".") ? String(name.dropLast()) : name
    }
}
