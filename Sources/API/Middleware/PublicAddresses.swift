import HTTP

/// By which URLs clients may address the server.
struct PublicAddresses: Sendable {
    /// What stands before `/v2` in the public URLs, the published one first.
    private let bases: [String]
    /// The values of Host that belong to them, in small letters, with and without the scheme's own port. Nil: any is accepted.
    private let hosts: [[UInt8]]?

    /// The URLs end in `/v2`. Requests for other hosts than those of `exclusive` are refused; nil: none is.
    init(published: String, exclusive: [String]?) {
        bases = (exclusive ?? [published]).map { String($0.dropLast("/v2".count)) }
        hosts = exclusive == nil ? nil : bases.flatMap(Self.hosts)
    }

    /// Whether a request may name the host that it names. A trusted proxy has decided that itself. HTTP/1.0 may name none, and
    /// tools that watch a server know its address alone.
    func accept(_ request: Request) -> Bool {
        guard let hosts, let host = request.head.hostBytes else { return true }
        if hosts.contains(where: { host.elementsEqual($0) }) || request.isForwarded { return true }
        let lowered = host.map { (65...90).contains($0) ? $0 | 0x20 : $0 }
        return hosts.contains(lowered) || ServiceRoutes.healthPaths.contains(request.head.path)
    }

    /// The URLs that a client may have signed: those of the public URLs. Also the one that it connected to, here or at a trusted proxy, unless only
    /// the public URLs are accepted here.
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
