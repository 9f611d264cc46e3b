import NeuroViewsCrypto

/// A signed link to an object of the caller's, valid for a while for anyone who has it. It needs no login, because
/// players and browsers send none.
package struct DownloadLink: Sendable, Equatable {
    /// A part of a recording.
    package enum Part: String, Sendable, CaseIterable {
        case content, thumbnail, preview
    }

    /// The lifetime of a link, in seconds.
    package static let lifetimeSeconds = 600

    /// The linked part.
    package let part: Part
    let objectKey: String
    /// Unix seconds.
    let expiresAt: Int

    init(_ part: Part, objectKey: String, expiresAt: Int) {
        self.part = part
        self.objectKey = objectKey
        self.expiresAt = expiresAt
    }

    /// The reason why a text is not a valid link.
    package enum Refusal: Error {
        /// No server made it.
        case unknown
        /// It has expired.
        case expired
    }

    /// Parses the output of `text`.
    init(_ text: String, _ keys: KeyRing, nowS: Int) throws(Refusal) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 5, let part = Part(rawValue: parts[0]), let expiresAt = Int(parts[2]),
            let key = keys[kid: parts[3]], let proof = Base64.url.decode(parts[4]),
            constantTimeEquals(proof, key.downloadProof(parts[0...2].joined(separator: ".")))
        else { throw .unknown }
        guard nowS < expiresAt else { throw .expired }
        self.init(part, objectKey: parts[1], expiresAt: expiresAt)
    }

    /// The last part of the URL.
    func text(_ key: MasterKey) -> String {
        let claim = "\(part.rawValue).\(objectKey).\(expiresAt)"
        return "\(claim).\(key.kid).\(Base64.url.encode(key.downloadProof(claim)))"
    }
}
