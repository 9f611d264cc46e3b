import HTTP
import NeuroViewsCrypto

/// The fields with digests: Content-Digest and Repr-Digest (RFC 9530), and Upload-Checksum of tus.
package enum DigestFields {
    /// Covers the content of one request.
    package static let content = "Content-Digest"
    /// Covers the whole file.
    package static let representation = "Repr-Digest"
    /// Covers the content of one request in tus.
    package static let checksum = "Upload-Checksum"

    /// The digests of an RFC 9530 field with supported algorithms. Other algorithms are ignored, and so is a field with
    /// a syntax error. Throws `invalidDigest` for a value that its algorithm can't have.
    package static func read(_ name: String, from headers: Headers) throws(UploadRefusal) -> [UploadDigest] {
        let lines = headers.values(name).joined(separator: ", ")
        var digests: [UploadDigest] = []
        let members = StructuredItem.dictionary(Array(lines.utf8)) ?? [:]
        for algorithm in DigestAlgorithm.allCases {
            guard let key = algorithm.fieldKey, let item = members[key] else { continue }
            guard case .bytes(let bytes) = item, let digest = UploadDigest(algorithm, bytes) else {
                throw .invalidDigest(name)
            }
            digests.append(digest)
        }
        return digests
    }

    /// The value of an RFC 9530 field with these digests. SHA-1 is left out: the RFC deprecates it.
    package static func value(_ digests: [UploadDigest]) -> String {
        let members = digests.compactMap { digest in
            digest.algorithm.fieldKey.map { "\($0)=:\(Base64.padded.encode(digest.bytes)):" }
        }
        return members.joined(separator: ", ")
    }

    /// The digest in Upload-Checksum; nil without the field. Throws `unsupportedChecksum` for another algorithm and
    /// `invalidField` for anything but a name, a space and Base64 of the right length.
    package static func readChecksum(from headers: Headers) throws(UploadRefusal) -> UploadDigest? {
        guard headers.count(of: checksum) > 0 else { return nil }
        let parts = headers.values(checksum).joined(separator: ",").split(
            separator: " ",
            omittingEmptySubsequences: false
        )
        guard parts.count == 2, let bytes = Base64.padded.decode(String(parts[1])) else {
            throw .invalidField(checksum)
        }
        guard let algorithm = DigestAlgorithm.allCases.first(where: { $0.tusName == String(parts[0]) }) else {
            throw .unsupportedChecksum
        }
        guard let digest = UploadDigest(algorithm, bytes) else { throw .invalidField(checksum) }
        return digest
    }
}
