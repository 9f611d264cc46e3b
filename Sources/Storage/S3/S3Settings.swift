/// The location of a bucket and its credentials.
package struct S3Settings: Sendable {
    /// The service's address for this server.
    package var endpoint: S3Endpoint
    /// The service's address for clients; it is in the URLs for them.
    package var publicEndpoint: S3Endpoint
    /// For example `us-east-1`. Services without regions accept a configured one.
    package var region: String
    /// The bucket's name. It is in the path, never in the host.
    package var bucket: String
    /// The id of the key pair.
    package var accessKey: String
    /// Its secret.
    package var secret: String
    /// A PEM file of certificate authorities, trusted instead of the system's.
    package var caFile: String?

    /// Without `publicEndpoint`, clients use `endpoint`.
    package init(
        endpoint: S3Endpoint,
        publicEndpoint: S3Endpoint? = nil,
        region: String,
        bucket: String,
        accessKey: String,
        secret: String,
        caFile: String? = nil
    ) {
        self.endpoint = endpoint
        self.publicEndpoint = publicEndpoint ?? endpoint
        self.region = region
        self.bucket = bucket
        self.accessKey = accessKey
        self.secret = secret
        self.caFile = caFile
    }
}

/// Scheme, host and port of a service: `https://s3.example.org` or `http://127.0.0.1:9000`.
package struct S3Endpoint: Sendable, Equatable, CustomStringConvertible {
    /// The URL without a path.
    package var description: String { "\(scheme)://\(host)" }
    /// The `Host` field, without the scheme's default port.
    let host: String
    private let scheme: String

    /// Nil unless it is `http` or `https`, a host and an optional port. One slash at the end is accepted.
    package init?(_ url: String) {
        let url = url.lowercased()
        guard let scheme = ["https", "http"].first(where: { url.hasPrefix($0 + "://") }) else { return nil }
        var host = url.dropFirst(scheme.count + 3)
        if host.hasSuffix("/") { host = host.dropLast() }
        if let ownPort = ["https": ":443", "http": ":80"][scheme], host.hasSuffix(ownPort) {
            host = host.dropLast(ownPort.count)
        }
        guard Self.isHost(host) else { return nil }
        self.scheme = scheme
        self.host = String(host)
    }

    /// Accepts a name, an IPv4 address or an IPv6 address in brackets, with an optional port.
    private static func isHost(_ text: Substring) -> Bool {
        if text.first == "[" {
            guard let end = text.firstIndex(of: "]") else { return false }
            let address = text[text.index(after: text.startIndex)..<end]
            let isAddress = !address.isEmpty && address.allSatisfy { $0.isHexDigit || $0 == ":" || $0 == "." }
            return isAddress && isPort(text[text.index(after: end)...])
        }
        let end = text.firstIndex(of: ":") ?? text.endIndex
        let name = text[..<end]
        let isName =
            !name.isEmpty && name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == ".") }
        return isName && isPort(text[end...])
    }

    private static func isPort(_ text: Substring) -> Bool {
        text.isEmpty || (text.first == ":" && UInt16(text.dropFirst()).map { $0 > 0 } == true)
    }
}
