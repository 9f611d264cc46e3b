/// HMAC-SHA-1 (RFC 2104). Only for TOTP (RFC 6238): its apps support no other digest. Collisions of SHA-1 do not break
/// its HMAC.
public enum HMACSHA1 {
    /// Returns the tag of a message, 20 bytes. Any key length is accepted.
    public static func authenticate(_ message: [UInt8], key: [UInt8]) -> [UInt8] {
        let blockBytes = 64
        let short = key.count > blockBytes ? hash(key) : key
        let block = short + [UInt8](repeating: 0, count: blockBytes - short.count)
        return hash(block.map { $0 ^ 0x5c } + hash(block.map { $0 ^ 0x36 } + message))
    }

    private static func hash(_ bytes: [UInt8]) -> [UInt8] {
        var digest = SHA1()
        digest.update(bytes.span)
        return digest.digest()
    }
}
