import Glibc

/// The clock for deadlines: it never jumps.
public enum Monotonic {
    /// Nanoseconds since some point in the past.
    public static func nowNs() -> UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }

    /// Milliseconds since the same point.
    public static func nowMs() -> UInt64 { nowNs() / 1_000_000 }
}
