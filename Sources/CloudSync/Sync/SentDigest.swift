import NeuroViewsCrypto

/// Identifies the request that made a version, so that a retry is recognised: its kind, its preferences, and its
/// content in canonical form.
struct SentDigest: Sendable {
    /// SHA-256.
    let bytes: [UInt8]

    init(_ kind: String, merges: Bool = false, _ content: [UInt8] = []) {
        bytes = SHA256.hash(Array("\(kind)\(merges ? " merge" : "")\n".utf8) + content)
    }
}
