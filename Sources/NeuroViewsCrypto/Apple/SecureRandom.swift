/// Random bytes for keys, salts and identifiers, from the system's generator: Swift's is arc4random_buf(3) here.
public enum SecureRandom {
    /// The limit of one call, in bytes.
    public static let maxBytes = 65_536

    /// Returns `count` random bytes. Throws `.outputCount` outside 0...65536.
    public static func bytes(_ count: Int) throws(CryptoError) -> [UInt8] {
        guard count >= 0, count <= maxBytes else { throw .outputCount(count) }
        var generator = SystemRandomNumberGenerator()
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count)
        for _ in 0..<count { bytes.append(generator.next()) }
        return bytes
    }
}
