import Net

/// Who holds memory of the server's for bodies and answers: an IPv4 address or a /64 of IPv6, as far as trusted proxies tell. Clients behind
/// a Unix socket are one.
struct BufferHolder: Hashable {
    private let address: IPAddress?

    /// Of an address, or of a /64.
    init(subscriber: IPAddress) { address = subscriber }

    init(_ client: SocketAddress?) { address = client.flatMap { IPAddress($0.host)?.subscriber } }
}

/// How many bytes each holder has on one loop.
struct BufferShares {
    private var bytes: [BufferHolder: Int] = [:]

    subscript(holder: BufferHolder) -> Int { bytes[holder] ?? 0 }

    mutating func add(_ count: Int, to holder: BufferHolder) {
        let sum = self[holder] + count
        bytes[holder] = sum > 0 ? sum : nil
    }
}
