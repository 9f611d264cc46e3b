import CLinux

/// What was freed, but is kept by the allocator for later.
public enum FreedMemory {
    /// Gives it back to the system. Takes some milliseconds, with much memory 100: for after a rush, not for every day.
    public static func giveBack() { malloc_trim(0) }
}
