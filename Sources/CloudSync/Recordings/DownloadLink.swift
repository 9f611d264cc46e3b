import Crypto

/// What a download URL gives to whoever has it, for a while: an object of the caller's. The URL needs no login, since players and browsers send
/// none.
public struct DownloadLink: Sendable, Equatable {
    /// What of a recording.
    public enum Part: String, Sendable, CaseIterable {
        case content, thumbnail, preview
    }

    /// How long a link is good, in seconds.
    public static let lifetimeSeconds = 600

    /// What of the recording.
    public let part: Part
    let objectKey: String
    /// Unix seconds.
    let expiresAt: Int

    init(_ part: Part, objectKey: String, expiresAt: Int) {
        self.part = part
        self.objectKey = objectKey
        self.expiresAt = expiresAt
    }

    /// Why a text is no link.
    public enum Refusal: Error {
        /// Nobody was given it.
        case unknown
        /// Its time is over.
        case expired
    }

    /// Reads what `text` wrote.
    init(_ text: String, _ keys: KeyRing, nowS: Int) throws(Refusal) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 5, let part = Part(rawValue: parts[0]), let expiresAt = Int(parts[2]),
            let key = keys[kid: parts[3]], let proof = Base64.url.decode(parts[4]),
            constantTimeEquals(proof, key.downloadProof(parts[0...2].joined(separator: ".")))
        else { throw .unknown }
        guard nowS < expiresAt else { throw .expired }
        self.init(part, objectKey: parts[1], expiresAt: expiresAt)
    }

    /// What the URL ends with.
    func text(_ key: MasterKey) -> String {
        let claim = "\(part.rawValue).\(objectKey).\(expiresAt)"
        return "\(claim).\(key.kid).\(Base64.url.encode(key.downloadProof(claim)))"
    }
}
