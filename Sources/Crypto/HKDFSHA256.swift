/// HKDF-SHA-256 (RFC 5869): extracts once from a secret, then expands to independent keys by label.
public struct HKDFSHA256: Sendable {
    /// The longest output that the RFC allows, in bytes.
    public static let maxOutputBytes = 255 * SHA256.digestBytes

    private let pseudorandomKey: HMACSHA256

    /// Runs the extract step. An empty salt means the RFC's default salt.
    public init(secret: [UInt8], salt: [UInt8]) {
        var extracted = HMACSHA256(key: salt).authenticate(secret)
        defer { extracted.wipe() }
        pseudorandomKey = HMACSHA256(key: extracted)
    }

    /// Expands to `count` bytes; throws `.outputCount` outside 1...8160.
    public func expand(info: [UInt8], count: Int) throws(CryptoError) -> [UInt8] {
        guard count >= 1, count <= Self.maxOutputBytes else { throw .outputCount(count) }
        var output: [UInt8] = []
        var block: [UInt8] = []
        var counter: UInt8 = 1
        while true {
            block = pseudorandomKey.authenticate(block + info + [counter])
            output += block
            // Checked before the increment: the last possible counter is 255.
            if output.count >= count { return Array(output.prefix(count)) }
            counter += 1
        }
    }

    /// Returns one key of 32 bytes: the first block of `expand`. It can't fail.
    public func key(info: [UInt8]) -> [UInt8] {
        pseudorandomKey.authenticate(info + [1])
    }
}

extension HKDFSHA256: CustomStringConvertible {
    /// A fixed text: the state is as secret as the key material and must not reach a log.
    public var description: String { "HKDFSHA256" }
}
