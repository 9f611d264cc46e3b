import CNeuroViewsOpenSSL

extension [UInt8] {
    /// Overwrites the bytes before their memory is freed. Call it on the only copy: a shared array is copied first, and
    /// the other copy stays. Copies that Swift made before also stay, such as in a `String` or a register.
    public mutating func wipe() {
        withUnsafeMutableBytes { OPENSSL_cleanse($0.baseAddress, $0.count) }
    }
}

/// Holds the state of a key derivation and overwrites it in `deinit`.
///
/// `@unchecked Sendable`: nothing changes the state before `deinit`.
final class WipedDerivation: @unchecked Sendable {
    private(set) var value: HKDFSHA256

    init(_ value: HKDFSHA256) { self.value = value }

    // Plain bytes without references: the states of two digests.
    deinit { withUnsafeMutableBytes(of: &value) { OPENSSL_cleanse($0.baseAddress, $0.count) } }
}
