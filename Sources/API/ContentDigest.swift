import HTTP
import NeuroViewsCrypto

/// The Content-Digest field (RFC 9530), the digest of a body's bytes.
enum ContentDigest {
    /// The SHA-256 digest in the field, 32 bytes; nil when there is none, more than one, or the field is malformed.
    static func sha256(_ headers: Headers) -> [UInt8]? { sha256(headers.values("content-digest")) }

    /// The same for the field's lines.
    static func sha256(_ lines: [String]) -> [UInt8]? {
        let prefix = "sha-256=:"
        let members = lines.flatMap { $0.split(separator: ",") }.map { $0.trimmingBlanks() }
        let named = members.filter { $0.hasPrefix("sha-256=") }
        guard named.count == 1, let member = named.first, member.hasPrefix(prefix), member.hasSuffix(":") else {
            return nil
        }
        guard member.utf8.count > prefix.utf8.count else { return nil }
        let digest = Base64.padded.decode(String(member.dropFirst(prefix.count).dropLast()))
        return digest?.count == SHA256.digestBytes ? digest : nil
    }
}

extension Substring {
    fileprivate func trimmingBlanks() -> Substring {
        let isBlank = { (character: Character) in character == " " || character == "\t" }
        var text = drop(while: isBlank)
        while let last = text.last, isBlank(last) { text.removeLast() }
        return text
    }
}
