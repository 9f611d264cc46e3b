import NeuroViewsCrypto
import NeuroViewsJSON

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The server's word that it has read a recording's file back whole.
public struct Receipt: Hashable, Sendable {
    /// The file's bytes.
    public let size: Int64
    /// The SHA-256 of what was read back, 32 bytes. The local file may go if its own is the same, and the recording is ready.
    public let sha256: [UInt8]
    /// The time of the reading.
    public let verifiedAt: Date

    init?(_ json: JSON) {
        guard let size = json["size"]?.number?.int64, let sha256 = json["sha256"]?.digest,
            let verifiedAt = json["verified_at"]?.date
        else { return nil }
        (self.size, self.sha256, self.verifiedAt) = (size, sha256, verifiedAt)
    }
}

extension JSON {
    /// The bytes of a SHA-256 in Base64.
    var digest: [UInt8]? {
        let bytes = string.flatMap { Base64.padded.decode($0) }
        return bytes?.count == SHA256.digestBytes ? bytes : nil
    }
}
