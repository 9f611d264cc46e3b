/// The server's only secret. Only the HKDF state is kept; it derives one key per purpose, by label.
public struct MasterKey: Sendable {
    /// Length of a master key, in bytes.
    public static let keyBytes = 32

    /// The id of this master in token headers and sessions: 8 hex digits. It is derived, so all servers with this
    /// master have the same id.
    public let kid: String
    /// 64 hex digits for the database. Equal values mean equal masters. No key can be derived from it.
    public let checkValue: String

    private let held: WipedDerivation
    private var derivation: HKDFSHA256 { held.value }

    /// Wipes the bytes. Throws `.unusableKey` unless there are 32 bytes. Also throws it if all bytes are equal, as in
    /// an unset placeholder.
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

    /// A session's request signing key, 32 bytes, the same for the life of the session. `sessionID` is the UUID as
    /// lower-case text; any other spelling gives another key.
    public func signingKey(sessionID: String) -> [UInt8] {
        derivation.key(info: Label.signing.bytes + Array(sessionID.utf8))
    }

    /// The proof that the server issued an upload URL, 32 bytes. It stays the same while the upload is open.
    public func uploadProof(_ objectKey: String) -> [UInt8] {
        derivation.key(info: Label.upload.bytes + Array(objectKey.utf8))
    }

    /// The proof that the server issued a download URL, 32 bytes. `claim` contains the URL's subject and expiry.
    public func downloadProof(_ claim: String) -> [UInt8] {
        derivation.key(info: Label.download.bytes + Array(claim.utf8))
    }

    /// The proof that the server issued a passkey challenge, 32 bytes. `purpose` is its use; `claim` contains its
    /// expiry.
    public func passkeyProof(_ purpose: String, _ claim: [UInt8]) -> [UInt8] {
        derivation.key(info: Label.passkey.bytes + Array(purpose.utf8) + [0] + claim)
    }

    /// A pseudonym for a login email in logs: 8 bytes as hex. One email always has the same pseudonym. Without the key,
    /// it can't be traced back.
    public func logName(of email: String) -> String {
        let digest = derivation.key(info: Label.logName.bytes + Array(email.lowercased().utf8))
        return Hex.encode(Array(digest.prefix(8)))
    }

    /// The key of the digests that count login attempts, 32 bytes. It hides the accounts that were tried.
    public var attemptKey: [UInt8] { derivation.key(info: Label.attempts.bytes) }

    /// The key that encrypts secrets of authenticator apps, 32 bytes.
    public var secondFactorSealKey: [UInt8] { derivation.key(info: Label.secondFactorSeal.bytes) }
}

extension MasterKey: CustomStringConvertible {
    /// Only the key id, for logs.
    public var description: String { "MasterKey(\(kid))" }
}

/// The purposes. Never change or reuse a text: another text gives other keys. A zero byte ends each label, so a label
/// with a suffix never equals another label.
private enum Label: String {
    case token = "token v1"
    case signing = "request signing v1"
    case upload = "upload url v1"
    case download = "download url v1"
    case secondFactorSeal = "second factor seal v1"
    case attempts = "attempts v1"
    case logName = "log name v1"
    case passkey = "passkey challenge v1"
    case checkValue = "key check v1"
    case kid = "key id v1"

    var bytes: [UInt8] { Array(rawValue.utf8) + [0] }
}
