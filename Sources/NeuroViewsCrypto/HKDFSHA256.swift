/// HKDF-SHA-256 (RFC 5869): extracts once from a secret, then makes independent keys by label.
public struct HKDFSHA256: Sendable {
    private let pseudorandomKey: HMACSHA256

    /// Runs the extract step. An empty salt means the RFC's default salt.
    public init(secret: [UInt8], salt: [UInt8]) {
        var extracted = HMACSHA256(key: salt).authenticate(secret)
        defer { extracted.wipe() }
        pseudorandomKey = HMACSHA256(key: extracted)
    }

    /// Runs the expand step for one key of 32 bytes: its first block.
    public func key(info: [UInt8]) -> [UInt8] {
        pseudorandomKey.authenticate(info + [1])
    }
}

extension HKDFSHA256: CustomStringConvertible {
    /// A fixed text: the state is as secret as the key material and must not reach a log.
    public var description: String { "HKDFSHA256" }
}
