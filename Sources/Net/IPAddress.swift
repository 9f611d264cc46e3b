import Glibc

/// An IPv4 or IPv6 address without a port. The plain form of an IPv4 address equals its IPv6-mapped form (RFC 4291,
/// 2.5.5.2).
public struct IPAddress: Sendable, Hashable, CustomStringConvertible {
    private static let mappedPrefix: UInt64 = 0xffff_0000_0000

    /// The first and the last 64 bits; IPv4 is mapped.
    private let high: UInt64
    private let low: UInt64

    private init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Parses `192.0.2.1` or `2001:db8::1`, without brackets; nil for anything else.
    public init?(_ text: String) {
        guard !text.utf8.contains(0) else { return nil }
        var four = in_addr()
        if inet_pton(AF_INET, text, &four) == 1 {
            self.init(high: 0, low: Self.mappedPrefix | UInt64(UInt32(bigEndian: four.s_addr)))
            return
        }
        var six = in6_addr()
        guard inet_pton(AF_INET6, text, &six) == 1 else { return nil }
        let words = withUnsafeBytes(of: &six) {
            ($0.loadUnaligned(as: UInt64.self), $0.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
        }
        self.init(high: UInt64(bigEndian: words.0), low: UInt64(bigEndian: words.1))
    }

    /// True for an IPv4 address.
    public var isIPv4: Bool { high == 0 && low >> 32 == Self.mappedPrefix >> 32 }

    /// The usual range of one customer: the address itself in IPv4, its /64 in IPv6.
    public var subscriber: IPAddress { isIPv4 ? self : IPAddress(high: high, low: 0) }

    /// The largest range of one customer: the address itself in IPv4, its /48 in IPv6.
    public var site: IPAddress { isIPv4 ? self : prefix(48) }

    /// Clears all bits after the first `count` of 128.
    func prefix(_ count: Int) -> IPAddress {
        let highMask: UInt64 = count >= 64 ? .max : ~(UInt64.max >> UInt64(count))
        let lowMask: UInt64 = count <= 64 ? 0 : ~(UInt64.max >> UInt64(count - 64))
        return IPAddress(high: high & highMask, low: low & lowMask)
    }

    /// `192.0.2.1` or `2001:db8::1`.
    public var description: String {
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        if isIPv4 {
            var four = in_addr(s_addr: UInt32(truncatingIfNeeded: low).bigEndian)
            inet_ntop(AF_INET, &four, &text, socklen_t(text.count))
        } else {
            var words = (high.bigEndian, low.bigEndian)
            inet_ntop(AF_INET6, &words, &text, socklen_t(text.count))
        }
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}

/// All addresses that begin with the same bits (CIDR, RFC 4632).
public struct IPNetwork: Sendable, Hashable, CustomStringConvertible {
    private let address: IPAddress
    /// The prefix length in 128 bits, also for IPv4.
    private let prefixBits: Int

    /// Parses `10.0.0.0/8`, `2001:db8::/32` or a single address. Nil for anything else, also for nonzero bits after the
    /// prefix.
    public init?(_ text: String) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let address = IPAddress(String(parts[0])) else { return nil }
        let isWrittenAsIPv4 = !parts[0].utf8.contains(UInt8(ascii: ":"))
        let widthBits = isWrittenAsIPv4 ? 32 : 128
        var bits = widthBits
        if parts.count == 2 {
            guard parts[1].utf8.allSatisfy({ (48...57).contains($0) }), let given = Int(parts[1]), given <= widthBits
            else { return nil }
            bits = given
        }
        prefixBits = bits + 128 - widthBits
        guard address.prefix(prefixBits) == address else { return nil }
        self.address = address
    }

    /// Returns true if the network contains the address.
    public func contains(_ other: IPAddress) -> Bool { other.prefix(prefixBits) == address }

    /// The CIDR text.
    public var description: String { "\(address)/\(address.isIPv4 ? prefixBits - 96 : prefixBits)" }
}
