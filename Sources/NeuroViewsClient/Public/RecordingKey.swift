import NeuroViewsCrypto

/// A user's key for recordings that only the user's devices can read. A recording is lost with the key it was sealed with:
/// nobody else has it, and the server can't help.
public struct RecordingKey: Identifiable, Hashable, Sendable {
    private static let bytesCount = 32
    private static let checkBytes = 3
    private static let checkLabel = Array("neuroviews recording key check 1".utf8)
    private static let idLabel = Array("neuroviews recording key id 1".utf8)
    private static let idDigits = 16

    /// The key itself, 32 bytes.
    let bytes: [UInt8]
    /// The name of the key, 16 hexadecimal digits. It is no secret: each recording that was sealed with the key has it.
    public let id: String

    /// Makes a new one.
    init() throws(CryptoError) { self.init(bytes: try SecureRandom.bytes(Self.bytesCount)) }

    /// Takes a stored key; nil for another number of bytes.
    init?(stored bytes: [UInt8]) {
        guard bytes.count == Self.bytesCount else { return nil }
        self.init(bytes: bytes)
    }

    private init(bytes: [UInt8]) {
        self.bytes = bytes
        id = String(Hex.encode(SHA256.hash(Self.idLabel + bytes)).prefix(Self.idDigits))
    }

    /// Reads the text of a key. Case, spaces and hyphens do not count.
    ///
    /// - Throws: `.mistypedKey` for any other text: three bytes of it check the rest.
    public init(_ text: String) throws(SealingError) {
        let digits = text.filter { !$0.isWhitespace && $0 != "-" }
        guard let all = Base32.decode(digits), all.count == Self.bytesCount + Self.checkBytes else {
            throw .mistypedKey
        }
        let bytes = Array(all.prefix(Self.bytesCount))
        guard Self.check(bytes) == Array(all.suffix(Self.checkBytes)) else { throw .mistypedKey }
        self.init(bytes: bytes)
    }

    /// The key for people: 56 characters in 14 groups. It is as secret as the key.
    public var text: String {
        let digits = Array(Base32.encode(bytes + Self.check(bytes)))
        return stride(from: 0, to: digits.count, by: 4).map { String(digits[$0..<min($0 + 4, digits.count)]) }
            .joined(separator: "-")
    }

    private static func check(_ bytes: [UInt8]) -> [UInt8] {
        Array(SHA256.hash(checkLabel + bytes).prefix(checkBytes))
    }
}

extension RecordingKey: CustomStringConvertible, CustomReflectable {
    /// The key's id: the key must not reach a log.
    public var description: String { "RecordingKey \(id)" }
    /// The key's id alone.
    public var customMirror: Mirror { Mirror(self, children: ["id": id]) }
}
