import Net

/// The holder of server memory for bodies and responses: an IPv4 address or a /64 of IPv6, as reported by trusted
/// proxies. All clients of a Unix socket are one holder.
struct BufferHolder: Hashable {
    private let address: IPAddress?

    /// The holder of an address or of a /64.
    init(subscriber: IPAddress) { address = subscriber }

    init(_ client: SocketAddress?) { address = client.flatMap { IPAddress($0.host)?.subscriber } }
}

/// The bytes of each holder on one loop.
struct BufferShares {
    private var bytes: [BufferHolder: Int] = [:]

    subscript(holder: BufferHolder) -> Int { bytes[holder] ?? 0 }

    mutating func add(_ count: Int, to holder: BufferHolder) {
        let sum = self[holder] + count
        bytes[holder] = sum > 0 ? sum : nil
    }
}
