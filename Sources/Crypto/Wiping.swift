import COpenSSL

extension [UInt8] {
    /// Overwrites the bytes before their memory is given back. To be called on the only copy: an array that others share is copied
    /// first, and theirs stays. So do copies that Swift made on the way, such as of a `String` or in a register.
    public mutating func wipe() {
        withUnsafeMutableBytes { OPENSSL_cleanse($0.baseAddress, $0.count) }
    }
}

/// Holds the state of a key derivation, and overwrites it at its end.
///
/// `@unchecked Sendable`: nothing changes it before its end.
final class WipedDerivation: @unchecked Sendable {
    private(set) var value: HKDFSHA256

    init(_ value: HKDFSHA256) { self.value = value }

    // Plain bytes, without references: the states of two digests.
    deinit { withUnsafeMutableBytes(of: &value) { OPENSSL_cleanse($0.baseAddress, $0.count) } }
}
