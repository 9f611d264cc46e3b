#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The peers that a transport talks to.
package struct Trust: Sendable {
    package let server: Origin
    private let pins: [Pin]
    /// A PEM file. The server's certificate needs one of its authorities; that of another host, such as a store, may have
    /// the system's, too.
    package let authorities: String?
    private let allowsPlainHTTP: Bool
    /// Without the URL, which may be the permission to an upload.
    private static let noURL = "its URL needs http or https, and a host's name in ASCII"

    /// Throws `.badRequest` for a URL that is none, and `.untrusted` for options that would lock the app out or protect
    /// nothing.
    package init(server url: String, _ options: Options) throws(TransportError) {
        guard let server = Origin(url) else { throw .badRequest(Self.noURL) }
        guard options.pins.count != 1 else { throw .untrusted(.onePin) }
        guard options.pins.isEmpty || server.isEncrypted else { throw .untrusted(.plainHTTP) }
        self.server = server
        pins = options.pins
        authorities = options.authorities?.path
        allowsPlainHTTP = options.allowsPlainHTTP
        _ = try origin(of: url)
    }

    /// Throws `.badRequest` for a URL that is none, and `.untrusted(.plainHTTP)` for an `http` that leaves the device.
    package func origin(of url: String) throws(TransportError) -> Origin {
        guard let origin = Origin(url) else { throw .badRequest(Self.noURL) }
        guard origin.isEncrypted || origin.isLoopback || allowsPlainHTTP else { throw .untrusted(.plainHTTP) }
        return origin
    }

    /// The keys that a peer may have; none for any. Stores have keys of their own.
    package func pins(of origin: Origin) -> [Pin] { origin == server ? pins : [] }
}
