import FoundationEssentials

/// The wall clock.
package enum Clock {
    /// Unix seconds.
    @Sendable
    package static func now() -> Int { Int(Date().timeIntervalSince1970) }
}
