import NeuroViewsCrypto

/// A challenge for a passkey to sign. The server stores only answered ones: the bytes of a challenge prove its time and
/// purpose.
struct PasskeyChallenge: Sendable {
    /// The purpose of a challenge.
    enum Purpose: Sendable {
        /// The registration of a passkey, in one session.
        case registration(sessionID: String)
        /// The proof of a person.
        case assertion

        fileprivate var text: String {
            switch self {
            case .registration(let sessionID): "registration \(sessionID)"
            case .assertion: "assertion"
            }
        }
    }

    static let lifetimeSeconds = 300
    private static let (kidBytes, timeBytes, randomBytes) = (4, 4, 16)
    private static let claimBytes = kidBytes + timeBytes + randomBytes

    let bytes: [UInt8]
    /// Unix seconds.
    let expiresAt: Int
    /// The stored digest of an answered challenge.
    var digest: [UInt8] { SHA256.hash(bytes) }

    /// Makes a challenge.
    init(for purpose: Purpose, _ master: MasterKey, now: Int) throws {
        expiresAt = now + Self.lifetimeSeconds
        var claim = Hex.decode(Array(master.kid.utf8)[...]) ?? []
        let time = UInt32(expiresAt)
        claim += (0..<Self.timeBytes).map { UInt8(truncatingIfNeeded: time >> (24 - 8 * $0)) }
        claim += try SecureRandom.bytes(Self.randomBytes)
        bytes = claim + master.passkeyProof(purpose.text, claim)
    }

    /// Parses a challenge. Nil unless this installation made it for that purpose, and it has not expired.
    init?(_ bytes: [UInt8], for purpose: Purpose, _ keys: KeyRing, now: Int) {
        guard bytes.count > Self.claimBytes else { return nil }
        let claim = Array(bytes[..<Self.claimBytes])
        guard let master = keys[kid: Hex.encode(Array(claim[..<Self.kidBytes]))],
            constantTimeEquals(Array(bytes[Self.claimBytes...]), master.passkeyProof(purpose.text, claim))
        else { return nil }
        expiresAt = claim[Self.kidBytes..<Self.kidBytes + Self.timeBytes].reduce(0) { $0 << 8 | Int($1) }
        guard now < expiresAt else { return nil }
        self.bytes = bytes
    }
}
