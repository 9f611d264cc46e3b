import JSONSchema
import NeuroViewsCrypto
import NeuroViewsJSON

/// The rules of recordings that only their owner's key opens: the section "Sealed recordings" of docs/client.md. An
/// envelope of another scheme or version is opaque, and none of these rules applies to it.
enum SealedRecording {
    private static let contentType = "application/octet-stream"
    private static let segmentBytes: Int64 = 1 << 20
    /// The size of a sealed file without content: a header and a tag.
    private static let leastBytes = 40 + 16
    /// A nonce, the key and a tag.
    private static let wrappedKeyBytes = 12 + 32 + 16
    private static let (keyIDDigits, keyIDDigit) = (16, Set("0123456789abcdef".utf8))
    /// From a header, a tag and `{}` up to the Base64 text's limit in the schema.
    private static let metadataBytes = (leastBytes + 2)...12_288
    /// The members that a client may send in the clear.
    private static let clearMembers: Set<String> = ["created_at", "creation_date", "sealed_metadata"]
    private static let hidden = "must go into sealed_metadata: the recording is sealed"

    /// True for the envelope of a sealed recording.
    static func isSealed(_ envelope: JSONValue?) -> Bool {
        envelope?["scheme"]?.string == "tink-aes256-gcm-hkdf-1mb" && envelope?["version"]?.number?.int64 == 1
    }

    /// The violations of an upload request: of an envelope that its key could not open, and of details in the clear.
    static func violations(of wish: UploadWish) -> [Violation] {
        guard let envelope = wish.encryption, isSealed(envelope) else { return [] }
        let rules: [(pointer: String, keyword: String, detail: String, isKept: Bool)] = [
            ("/content_type", "const", "must be \(contentType)", wish.contentType == contentType),
            ("/file_size", "minimum", "must be at least \(leastBytes): it is sealed", wish.size >= leastBytes),
            ("/configuration_id", "sealed", hidden, wish.configuration == nil),
            (
                "/encryption/wrapped_key", "format", "must be Base64 of \(wrappedKeyBytes) bytes",
                base64Bytes(envelope["wrapped_key"]) == wrappedKeyBytes
            ),
            (
                "/encryption/key_id", "pattern", "must be \(keyIDDigits) hexadecimal digits in lower case",
                isKeyID(envelope["key_id"]?.string ?? "")
            ),
            (
                "/encryption/nonce_prefix", "const", "must be empty: the file has it",
                envelope["nonce_prefix"]?.string == ""
            ),
            (
                "/encryption/segment_size", "const", "must be \(segmentBytes)",
                envelope["segment_size"]?.number?.int64 == segmentBytes
            ),
        ]
        return rules.filter { !$0.isKept }.map {
            Violation(pointer: $0.pointer, keyword: $0.keyword, detail: $0.detail)
        }
    }

    /// The violations of the metadata of `complete`. A client may send back what the server shows of a recording without
    /// metadata.
    static func violations(ofNew metadata: RecordingMetadata, in envelope: JSONValue?) -> [Violation] {
        let empty = RecordingMetadata(recordedAt: metadata.recordedAt)
        let shown = empty.filled(from: nil, contentType: contentType)
        return violations(of: metadata, in: envelope, shown: shown, at: "/metadata")
    }

    /// The violations of metadata: details in the clear that are not in `shown`, and sealed metadata that no key could
    /// open. `place` is the metadata's JSON Pointer.
    static func violations(
        of metadata: RecordingMetadata,
        in envelope: JSONValue?,
        shown: JSONObject,
        at place: String = ""
    ) -> [Violation] {
        guard isSealed(envelope) else { return [] }
        var found: [Violation] = []
        if let box = metadata.members["sealed_metadata"], box != .null,
            !metadataBytes.contains(base64Bytes(box) ?? 0)
        {
            let detail = "must be Base64 of \(metadataBytes.lowerBound) to \(metadataBytes.upperBound) bytes"
            found.append(Violation(pointer: place + "/sealed_metadata", keyword: "format", detail: detail))
        }
        let details = metadata.members.members.filter {
            $0.value != .null && !clearMembers.contains($0.name) && shown[$0.name] != $0.value
        }
        return found
            + details.prefix(Schema.maxViolations - found.count).map {
                var pointer = JSONPointer()
                pointer.append(member: $0.name)
                let text = pointer.bounded(maxBytes: 1000 - place.utf8.count).description
                return Violation(pointer: place + text, keyword: "sealed", detail: hidden)
            }
    }

    private static func base64Bytes(_ value: JSONValue?) -> Int? {
        value?.string.flatMap { Base64.padded.decode($0) }?.count
    }

    private static func isKeyID(_ text: String) -> Bool {
        text.utf8.count == keyIDDigits && text.utf8.allSatisfy { keyIDDigit.contains($0) }
    }
}

extension RecordingFile {
    /// The device that describes itself in the metadata's missing members. An encrypted recording has none: it shall
    /// show no details.
    func describing(_ senders: [DeviceDescription]) -> DeviceDescription? {
        encryption == nil ? senders.first : nil
    }
}
