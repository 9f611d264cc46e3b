/// Where a bucket is and who may use it.
public struct S3Settings: Sendable {
    /// How this server reaches the service.
    public var endpoint: S3Endpoint
    /// How clients reach it; URLs for them have this host.
    public var publicEndpoint: S3Endpoint
    /// For example `us-east-1`. Services without regions accept one that is configured there.
    public var region: String
    /// The bucket's name. It is part of the path, never of the host.
    public var bucket: String
    /// The name of the key pair.
    public var accessKey: String
    /// Its secret.
    public var secret: String
    /// A PEM file of the certificate authorities to trust instead of the system's.
    public var caFile: String?

    /// Without `publicEndpoint`, clients use `endpoint`.
    public init(
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
public struct S3Endpoint: Sendable, Equatable, CustomStringConvertible {
    /// The URL without a path.
    public var description: String { "\(scheme)://\(host)" }
    /// The `Host` field: the scheme's own port is left out.
    let host: String
    private let scheme: String

    /// Nil for anything but `http` or `https`, a host, and a port or none. One slash at the end is accepted.
    public init?(_ url: String) {
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

    /// A name or IPv4 address, or an IPv6 address in brackets, each with or without a port.
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
