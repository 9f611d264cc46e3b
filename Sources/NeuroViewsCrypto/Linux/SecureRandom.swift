import CNeuroViewsOpenSSL

/// Random bytes for keys, salts and identifiers, from OpenSSL's generator, which the kernel seeds.
public enum SecureRandom {
    /// The limit of one call, in bytes.
    public static let maxBytes = 65_536

    /// Returns `count` random bytes. Throws `.openSSL` if the generator has no entropy, and `.outputCount` outside
    /// 0...65536.
    public static func bytes(_ count: Int) throws(CryptoError) -> [UInt8] {
        guard count >= 0, count <= maxBytes else { throw .outputCount(count) }
        OpenSSLStart.begin()
        var bytes = [UInt8](repeating: 0, count: count)
        guard RAND_bytes(&bytes, Int32(count)) == 1 else { throw .fromOpenSSL("RAND_bytes") }
        return bytes
    }
}
