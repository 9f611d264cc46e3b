import Foundation

/// The wall clock.
public enum WallClock {
    /// Unix seconds.
    public static func nowS() -> Int { Int(Date().timeIntervalSince1970) }
}
