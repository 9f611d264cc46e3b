import FoundationEssentials

/// The kernel's UUID of this boot. After another boot, data that was written but not flushed may be lost.
package enum BootID {
    /// If the kernel has none, each process gets a new one, so unflushed data is never trusted.
    package static let current: String = {
        let text = try? String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8)
        let id = text.flatMap { UUID(uuidString: $0.trimmed) }
        return (id ?? UUID()).uuidString.lowercased()
    }()
}
