import FoundationEssentials

/// The kernel's UUID of this boot. After another boot, data that was written but not flushed may be lost.
package enum BootID {
    /// If nobody names it, each process gets a new one, so unflushed data is never trusted.
    package static let current: String = {
        let text = try? String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8)
        // A unit with ProcSubset=pid hides that file, and sets the variable instead. The kernel's word counts more: it can't be out of date.
        let told = ProcessInfo.processInfo.environment["BOOT_ID"]
        return (text.flatMap(uuid) ?? told.flatMap(uuid) ?? UUID()).uuidString.lowercased()
    }()

    /// systemd's %b has no dashes.
    static func uuid(_ text: String) -> UUID? {
        var digits = text.trimmed
        guard digits.count == 32 else { return UUID(uuidString: digits) }
        for place in [20, 16, 12, 8] { digits.insert("-", at: digits.index(digits.startIndex, offsetBy: place)) }
        return UUID(uuidString: digits)
    }
}
