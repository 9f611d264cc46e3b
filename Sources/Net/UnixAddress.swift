import Glibc

/// The address of a Unix socket: a path, or with a leading `@` a name that stands in no folder (unix(7)).
struct UnixAddress {
    /// `sun_path` has 108 bytes, the last one zero.
    static let pathMaxBytes = 107
    private let path: [UInt8]

    /// Nil when `path` is empty, too long or holds a zero.
    init?(_ path: String) {
        guard (1...Self.pathMaxBytes).contains(path.utf8.count), !path.utf8.contains(0) else { return nil }
        self.path = Array(path.utf8)
    }

    /// Calls `body` with the address as the system wants it.
    func withSystemAddress<R>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> R) -> R {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let isAbstract = path[0] == UInt8(ascii: "@")
        withUnsafeMutableBytes(of: &address.sun_path) { place in
            place.copyBytes(from: path)
            if isAbstract { place[0] = 0 }
        }
        // The length tells how long an abstract name is; a path ends with its zero.
        let start = MemoryLayout<sockaddr_un>.offset(of: \.sun_path) ?? 2
        let length = socklen_t(start + path.count + (isAbstract ? 0 : 1))
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, length) }
        }
    }

    /// The path that the system filled in; nil for another family.
    static func path(_ storage: sockaddr_storage, length: socklen_t) -> String? {
        guard Int32(storage.ss_family) == AF_UNIX else { return nil }
        return withUnsafeBytes(of: storage) { raw in
            let name = raw[..<min(Int(length), raw.count)].dropFirst(MemoryLayout<sa_family_t>.size)
            let isAbstract = name.first == 0
            let text = isAbstract ? name.dropFirst() : name.prefix { $0 != 0 }
            return (isAbstract ? "@" : "") + String(decoding: text, as: UTF8.self)
        }
    }
}
