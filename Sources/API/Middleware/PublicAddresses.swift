import HTTP

/// The URLs by which clients may address the server.
struct PublicAddresses: Sendable {
    /// The parts of the public URLs before `/v2`, the published one first.
    private let bases: [String]
    /// The values of Host that belong to them, in lower case, with and without the
    /// scheme's own port. Nil: any is accepted.
    private let hosts: [[UInt8]]?

    /// The URLs end in `/v2`. Requests for hosts outside `exclusive` are rejected; nil: none is.
    init(published: String, exclusive: [String]?) {
        bases = (exclusive ?? [published]).map { String($0.dropLast("/v2".count)) }
        hosts = exclusive == nil ? nil : bases.flatMap(Self.hosts)
    }

    /// Returns true if the host of a request is acceptable. A trusted proxy has already decided that. HTTP/1.0 may have
    /// no host, and monitoring tools know only the server's address.
    func accept(_ request: Request) -> Bool {
        guard let hosts, let host = request.head.hostBytes else { return true }
        if hosts.contains(where: { host.elementsEqual($0) }) || request.isForwarded { return true }
        let lowered = host.map { (65...90).contains($0) ? $0 | 0x20 : $0 }
        return hosts.contains(lowered) || ServiceRoutes.probePaths.contains(request.head.path)
    }

    /// The URLs that a client may have signed: those below the public URLs. The URL that it connected to, here or at a
    /// trusted proxy, is added if any host is accepted or the request was forwarded.
    func urls(of request: Request) -> [String] {
        let target = request.head.target
        guard target.hasPrefix("/") else { return [target] }
        let urls = bases.map { $0 + target }
        guard hosts == nil || request.isForwarded else { return urls }
        let origin = request.origin
        return urls + (origin.host.map { ["\(origin.scheme)://\($0)\(target)"] } ?? [])
    }

    private static func hosts(of base: String) -> [[UInt8]] {
        let isSecure = base.hasPrefix("https://")
        let authority = base.dropFirst(isSecure ? 8 : 7).prefix { $0 != "/" }.lowercased()
        let ownPort = isSecure ? ":443" : ":80"
        let bare = authority.hasSuffix(ownPort) ? String(authority.dropLast(ownPort.count)) : authority
        let behindAddress = bare.lastIndex(of: "]").map { bare[$0...] } ?? bare[...]
        return (behindAddress.contains(":") ? [bare] : [bare, bare + ownPort]).map { Array($0.utf8) }
    }
}
