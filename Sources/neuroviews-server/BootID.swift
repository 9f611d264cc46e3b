import FoundationEssentials
import Glibc

/// The kernel's name for this boot of the machine, a UUID. In another boot, what was written and not flushed may be lost.
enum BootID {
    /// A new name in each process where the kernel has none: then nothing that was not flushed counts.
    static let current: String = {
        let text = try? String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8)
        let id = text.flatMap { UUID(uuidString: $0.trimmed) }
        return (id ?? UUID()).uuidString.lowercased()
    }()
}
