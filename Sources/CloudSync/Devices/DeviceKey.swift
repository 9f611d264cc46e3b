import NeuroViewsCrypto

/// Identifies a device of any account in memory. Always 16 bytes, for ids of any length.
struct DeviceKey: Hashable, Sendable {
    private let high: UInt64
    private let low: UInt64

    /// The user's id has a fixed length, so two pairs never make the same text.
    init(userID: String, deviceID: String) {
        let digest = SHA256.hash(Array("\(userID) \(deviceID)".utf8))
        high = digest[..<8].reduce(0) { $0 << 8 | UInt64($1) }
        low = digest[8..<16].reduce(0) { $0 << 8 | UInt64($1) }
    }
}
