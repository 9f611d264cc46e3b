import NeuroViewsCrypto
import NeuroViewsJSON

/// The metadata of a sealed recording that the server does not read: the member `sealed_metadata`.
enum HiddenMetadata {
    /// Of the member.
    private static let textMax = 16_384
    private static let maxBytes = textMax / 4 * 3 - SealedStream.Header.count - AESGCM.tagBytes
    private static let context = Array("sealed_metadata".utf8)
    /// They stay in the clear.
    private static let times = ["creation_date", "created_at"]
    /// Each recording has these members. Other apps may leave them in the clear.
    private static let needed: Set<String> = ["filename", "content_type"]
    /// The server's own members. Metadata that name them change nothing.
    private static let ofServer: Set<String> = [
        "id", "processing_status", "failure", "device_id", "created_at", "creation_date", "thumbnail_url", "sha256",
        "uploaded_at", "probe", "receipt", "version", "encryption", "sealed_metadata", "upload_offset", "file_size",
        "expires_at", "urls", "urls_expire_at",
    ]

    /// The metadata that go in the clear.
    static func clear(_ content: JSONObject, _ sealed: String) -> JSONObject {
        var clear = JSONObject(content.members.filter { times.contains($0.name) })
        clear.set("sealed_metadata", to: .string(sealed))
        return clear
    }

    /// Seals everything else, with the file's own type.
    static func seal(_ metadata: RecordingMetadata, type: String, _ fileKey: [UInt8]) throws(ClientError) -> String {
        var hidden = JSONObject(metadata.content.members.filter { !times.contains($0.name) })
        for member in metadata.wish.members { hidden.set(member.name, to: member.value) }
        hidden.set("content_type", to: .string(type))
        let text = JSON.object(hidden).serialized()
        guard text.count <= maxBytes else { throw .sealing(.metadataTooLarge(maxBytes: maxBytes)) }
        do throws(CryptoError) {
            return Base64.padded.encode(try SealedStream.seal(text, key: fileKey, context: context))
        } catch {
            throw .store(.other("metadata can't be encrypted"))
        }
    }

    /// Opens a member, and returns the document with the hidden members; nil for a member that does not open.
    static func reveal(_ sealed: String, in document: JSONObject, _ fileKey: [UInt8]) -> JSONObject? {
        guard let box = Base64.padded.decode(sealed),
            let text = try? SealedStream.open(box, key: fileKey, context: context),
            let hidden = (try? JSONParser.parse(text, policy: .rfc8259))?.object
        else { return nil }
        // Other members in the clear were put there without the key.
        var shown = JSONObject(document.members.filter { ofServer.contains($0.name) || needed.contains($0.name) })
        for member in hidden.members where !ofServer.contains(member.name) { shown.set(member.name, to: member.value) }
        return shown
    }
}
