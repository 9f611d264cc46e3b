#if canImport(FoundationEssentials)
    import Glibc
#else
    import Darwin
#endif

/// The addresses of this device. One more means that a network is there, or there again.
enum NetworkAddresses {
    /// Those of all interfaces that are up, but for the loopback.
    static func current() -> Set<[UInt8]> {
        var first: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&first) == 0 else { return [] }
        defer { freeifaddrs(first) }
        var found: Set<[UInt8]> = []
        var next = first
        while let interface = next?.pointee {
            next = interface.ifa_next
            guard interface.ifa_flags & UInt32(IFF_UP) != 0, interface.ifa_flags & UInt32(IFF_LOOPBACK) == 0,
                let address = interface.ifa_addr, let count = byteCount(address.pointee.sa_family)
            else { continue }
            // An address of a family is as long as the family's type.
            found.insert(Array(UnsafeRawBufferPointer(start: address, count: count)))
        }
        return found
    }

    private static func byteCount(_ family: sa_family_t) -> Int? {
        switch Int32(family) {
        case AF_INET: MemoryLayout<sockaddr_in>.size
        case AF_INET6: MemoryLayout<sockaddr_in6>.size
        default: nil
        }
    }
}

/// Notices a network that is back, also one with the same addresses as before.
struct NetworkWatch {
    private var known: Set<[UInt8]>

    init(_ addresses: Set<[UInt8]>) { known = addresses }

    /// Compares the addresses with those of the last look. Returns true if there is a new one.
    mutating func isBack(_ addresses: Set<[UInt8]>) -> Bool {
        defer { known = addresses }
        return !addresses.isSubset(of: known)
    }
}
