import Glibc

/// The names of this machine.
public enum HostName {
    private static let maxBytes = 256

    /// The name that the kernel has. Foundation's function would ask a name server.
    public static var own: String {
        var name = [CChar](repeating: 0, count: maxBytes)
        gethostname(&name, name.count - 1)
        return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// The names by which others may know the machine: its own, that without the domain, and that of mDNS (RFC 6762).
    public static var all: [String] {
        let own = own
        let label = own.prefix { $0 != "." }
        return ["localhost"] + (label.isEmpty ? [] : [own, String(label), "\(label).local"])
    }
}
