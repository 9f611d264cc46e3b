import CLinux

/// Freed memory that the allocator keeps for later use.
public enum FreedMemory {
    /// Returns it to the system. Takes some milliseconds, or 100 with much memory: call it after a load peak, not
    /// routinely.
    public static func giveBack() { malloc_trim(0) }
}
