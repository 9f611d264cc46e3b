import Foundation

/// The wall clock.
package enum WallClock {
    /// Unix seconds.
    package static func nowS() -> Int { Int(Date().timeIntervalSince1970) }
}
