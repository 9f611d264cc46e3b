import HTTP
import Net

/// The URLs by which clients may address the server.
struct PublicAddresses: Sendable {
    /// The parts of the public URLs before `/v2`, the published one first.
    private let bases: [String]
    /// The values of Host that belong to them, in lower case, with and without the
    /// scheme's own port. Nil: any is accepted.
    private let hosts: [[UInt8]]?
    private let published: String

    /// The URLs end in `/v2`. Requests for hosts outside `exclusive` are rejected; nil: none is.
    init(published: String, exclusive: [String]?) {
        self.published = published
        bases = (exclusive ?? [published]).map { String($0.dropLast("/v2".count)) }
        hosts = exclusive == nil ? nil : bases.flatMap(Self.hosts)
    }

    /// Returns true if the host of a request is acceptable. A trusted proxy has already decided that. HTTP/1.0 may have
    /// no host, and monitoring tools know only the server's address.
    func accept(_ request: Request) -> Bool {
        guard let hosts, let host = request.head.hostBytes else { return true }
        if hosts.contains(where: { host.elementsEqual($0) }) || request.isForwarded { return true }
        let lowered = Self.usual(host)
        return hosts.contains(lowered) || ServiceRoutes.probePaths.contains(request.head.path)
    }

    /// The URLs that a client may have signed: those below the public URLs. The URL that it connected to, here or at a
    /// trusted proxy, is added if any host is accepted or the request was forwarded. A client that opens a WebSocket may write ws for http.
    func urls(of request: Request) -> [String] {
        let usual = usualURLs(of: request)
        let urls = usual + usual.compactMap(Self.withOwnPort)
        guard request.head.asksToUpgrade(to: "websocket") else { return urls }
        return urls + urls.filter { $0.hasPrefix("http") }.map { "ws" + $0.dropFirst("http".count) }
    }

    private func usualURLs(of request: Request) -> [String] {
        let target = request.head.target
        guard target.hasPrefix("/") else { return [target] }
        let urls = bases.map { $0 + target }
        guard hosts == nil || request.isForwarded else { return urls + respelled(request, target) }
        let origin = request.origin
        return urls + (origin.host.map { ["\(origin.scheme)://\($0)\(target)"] } ?? [])
    }

    /// The public URL by which a request came, for the links in its answer: the one with its host, if possible with its
    /// scheme, too. The published one for other hosts.
    func base(of request: Request?) -> String {
        guard bases.count > 1, let origin = request?.origin, let host = origin.host else { return published }
        let usual = Self.usual(Array(host.utf8)[...])
        let found = bases.filter { Self.hosts(of: $0).contains(usual) }
        let base = found.first { $0.hasPrefix(origin.scheme + "://") } ?? found.first
        return base.map { $0 + "/v2" } ?? published
    }

    /// The public URLs with the host as the client has written it: it may spell an address or the port in another way.
    private func respelled(_ request: Request, _ target: String) -> [String] {
        guard let host = request.head.host, !bases.contains(where: { Self.parts(of: $0).authority == host }) else {
            return []
        }
        let usual = Self.usual(Array(host.utf8)[...])
        return bases.filter { Self.hosts(of: $0).contains(usual) }.map { base in
            let (scheme, authority) = Self.parts(of: base)
            return "\(scheme)\(host)\(base.dropFirst(scheme.count + authority.count))\(target)"
        }
    }

    /// The same URL with the scheme's own port, which clients leave out of Host; nil for one that has a port.
    private static func withOwnPort(_ url: String) -> String? {
        let (scheme, authority) = parts(of: url)
        guard !authority.isEmpty, !hasPort(authority) else { return nil }
        return "\(scheme)\(authority)\(ownPort(of: url))\(url.dropFirst(scheme.count + authority.count))"
    }

    private static func ownPort(of url: String) -> String { url.hasPrefix("https://") ? ":443" : ":80" }

    private static func hasPort(_ authority: Substring) -> Bool {
        (authority.lastIndex(of: "]").map { authority[$0...] } ?? authority).contains(":")
    }

    private static func parts(of base: String) -> (scheme: Substring, authority: Substring) {
        let scheme = base.prefix(base.hasPrefix("https://") ? 8 : 7)
        return (scheme, base.dropFirst(scheme.count).prefix { $0 != "/" })
    }

    /// A host in lower case, and an IPv6 address in its usual spelling (RFC 5952).
    private static func usual(_ host: ArraySlice<UInt8>) -> [UInt8] {
        let lowered = host.map { (65...90).contains($0) ? $0 | 0x20 : $0 }
        guard lowered.first == UInt8(ascii: "["), let end = lowered.firstIndex(of: UInt8(ascii: "]")),
            let address = IPAddress(String(decoding: lowered[1..<end], as: UTF8.self))
        else { return lowered }
        return Array("[\(address)".utf8) + lowered[end...]
    }

    private static func hosts(of base: String) -> [[UInt8]] {
        let authority = String(decoding: usual(Array(parts(of: base).authority.utf8)[...]), as: UTF8.self)
        let ownPort = ownPort(of: base)
        let bare = authority.hasSuffix(ownPort) ? String(authority.dropLast(ownPort.count)) : authority
        return (hasPort(bare[...]) ? [bare] : [bare, bare + ownPort]).map { Array($0.utf8) }
    }
}
