import Glibc

/// The address of a Unix socket: a path, or an abstract name with a leading `@` (unix(7)).
public struct UnixAddress {
    /// `sun_path` has 108 bytes, the last one zero.
    public static let pathMaxBytes = 107
    private let path: [UInt8]

    /// Nil if `path` is empty, too long or contains a zero.
    init?(_ path: String) {
        guard (1...Self.pathMaxBytes).contains(path.utf8.count), !path.utf8.contains(0) else { return nil }
        self.path = Array(path.utf8)
    }

    /// Calls `body` with the address in the system's form.
    func withSystemAddress<R>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> R) -> R {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let isAbstract = path[0] == UInt8(ascii: "@")
        withUnsafeMutableBytes(of: &address.sun_path) { place in
            place.copyBytes(from: path)
            if isAbstract { place[0] = 0 }
        }
        // An abstract name ends by the length; a path ends with a zero.
        let start = MemoryLayout<sockaddr_un>.offset(of: \.sun_path) ?? 2
        let length = socklen_t(start + path.count + (isAbstract ? 0 : 1))
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, length) }
        }
    }

    /// Reads a path from the system; nil for another family.
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
