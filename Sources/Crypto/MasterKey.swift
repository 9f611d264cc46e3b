/// The server's one secret, of which it keeps only the state that derives a key for each purpose (HKDF, by label).
public struct MasterKey: Sendable {
    /// Length of a master key, in bytes.
    public static let keyBytes = 32

    /// Names this master in token headers and sessions: 8 hex digits, derived, so that every server agrees on it.
    public let kid: String
    /// Tells whether two servers have the same master: 64 hex digits to keep in the database, from which no key follows.
    public let checkValue: String

    private let held: WipedDerivation
    private var derivation: HKDFSHA256 { held.value }

    /// The bytes are wiped. Throws `.unusableKey` unless there are 32 bytes and they aren't all the same, as an unset placeholder's are.
    public init(bytes: consuming [UInt8]) throws(CryptoError) {
        var bytes = consume bytes
        defer { bytes.wipe() }
        guard bytes.count == Self.keyBytes else { throw .unusableKey("a master key has 32 bytes, not \(bytes.count)") }
        guard bytes.contains(where: { $0 != bytes[0] }) else { throw .unusableKey("a master key must be random") }
        let derivation = HKDFSHA256(secret: bytes, salt: Array("neuroviews-cloud".utf8))
        held = WipedDerivation(derivation)
        kid = String(Hex.encode(derivation.key(info: Label.kid.bytes)).prefix(8))
        checkValue = Hex.encode(derivation.key(info: Label.checkValue.bytes))
    }

    /// The HS256 key of access tokens, 32 bytes.
    public var tokenKey: [UInt8] { derivation.key(info: Label.token.bytes) }

    /// A session's request signing key, 32 bytes, the same for the life of the session.
    /// `sessionID` is the UUID as lower-case text; other text is another session.
    public func signingKey(sessionID: String) -> [UInt8] {
        derivation.key(info: Label.signing.bytes + Array(sessionID.utf8))
    }

    /// What proves that an upload URL was given out, 32 bytes: the same as long as the upload is open.
    public func uploadProof(_ objectKey: String) -> [UInt8] {
        derivation.key(info: Label.upload.bytes + Array(objectKey.utf8))
    }

    /// What proves that a download URL was given out, 32 bytes. `claim` says what it is for, and until when.
    public func downloadProof(_ claim: String) -> [UInt8] {
        derivation.key(info: Label.download.bytes + Array(claim.utf8))
    }

    /// What proves that a challenge for passkeys was given out, 32 bytes. `purpose` says what for, and `claim` until when.
    public func passkeyProof(_ purpose: String, _ claim: [UInt8]) -> [UInt8] {
        derivation.key(info: Label.passkey.bytes + Array(purpose.utf8) + [0] + claim)
    }

    /// How logs name the address that somebody has tried to log in to, 8 bytes: the same address has the same name, and nobody without the key
    /// can find out which one it is.
    public func logName(of email: String) -> String {
        let digest = derivation.key(info: Label.logName.bytes + Array(email.lowercased().utf8))
        return Hex.encode(Array(digest.prefix(8)))
    }

    /// What counted attempts are digested with, 32 bytes, so that nobody can find out who was tried.
    public var attemptKey: [UInt8] { derivation.key(info: Label.attempts.bytes) }

    /// What private keys of receipts are encrypted with, 32 bytes.
    public var receiptSealKey: [UInt8] { derivation.key(info: Label.receiptSeal.bytes) }

    /// What secrets of authenticator apps are encrypted with, 32 bytes.
    public var secondFactorSealKey: [UInt8] { derivation.key(info: Label.secondFactorSeal.bytes) }
}

extension MasterKey: CustomStringConvertible {
    /// Its id alone, for a log.
    public var description: String { "MasterKey(\(kid))" }
}

/// The purposes. A text is never changed or used again: another text makes other keys. The zero byte ends it, so that no
/// label with something appended equals another.
private enum Label: String {
    case token = "token v1"
    case signing = "request signing v1"
    case upload = "upload url v1"
    case download = "download url v1"
    case receiptSeal = "receipt seal v1"
    case secondFactorSeal = "second factor seal v1"
    case attempts = "attempts v1"
    case logName = "log name v1"
    case passkey = "passkey challenge v1"
    case checkValue = "key check v1"
    case kid = "key id v1"

    var bytes: [UInt8] { Array(rawValue.utf8) + [0] }
}
