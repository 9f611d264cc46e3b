import NeuroViewsCrypto
import NeuroViewsJSON

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The member `encryption` of a sealed recording (docs/client.md, "Sealed recordings"). The server has it too.
struct RecordingEnvelope: Sendable, Hashable {
    private static let scheme = "tink-aes256-gcm-hkdf-1mb"
    private static let version: Int64 = 1

    /// Of the user's key.
    let keyID: String
    /// The recording's own key, sealed with the user's key. Padded Base64.
    let wrappedKey: String

    /// Wraps a file key.
    init(_ fileKey: [UInt8], of recording: UUID, by key: RecordingKey) throws(CryptoError) {
        keyID = key.id
        wrappedKey = Base64.padded.encode(
            try SealedBox.seal(fileKey, key: key.bytes, context: Self.context(recording))
        )
    }

    /// Takes the members of an envelope that was read before.
    init(keyID: String, wrappedKey: String) { (self.keyID, self.wrappedKey) = (keyID, wrappedKey) }

    /// Reads an envelope.
    ///
    /// - Throws: `.newerScheme` for one of another scheme or version.
    init(_ json: JSON) throws(SealingError) {
        let (scheme, version) = (json["scheme"]?.string ?? "", json["version"]?.number?.int64 ?? 0)
        guard scheme == Self.scheme, version == Self.version,
            json["segment_size"]?.number?.int64 == SealedLayout.segmentBytes, json["nonce_prefix"]?.string == "",
            let keyID = json["key_id"]?.string, let wrappedKey = json["wrapped_key"]?.string
        else { throw .newerScheme("\(scheme), version \(version)") }
        self.init(keyID: keyID, wrappedKey: wrappedKey)
    }

    /// The member.
    var json: JSON {
        .object(
            JSONObject([
                .init(name: "scheme", value: .string(Self.scheme)),
                .init(name: "version", value: .number(JSONNumber(Self.version))),
                .init(name: "segment_size", value: .number(JSONNumber(SealedLayout.segmentBytes))),
                .init(name: "nonce_prefix", value: .string("")),
                .init(name: "key_id", value: .string(keyID)),
                .init(name: "wrapped_key", value: .string(wrappedKey)),
            ])
        )
    }

    /// The recording's own key.
    ///
    /// - Throws: `.keyMissing` without the right key, and `.wrongKey` for an envelope that does not open.
    func fileKey(of recording: UUID, by keys: [RecordingKey]) throws(SealingError) -> [UInt8] {
        guard let key = keys.first(where: { $0.id == keyID }) else { throw .keyMissing(id: keyID) }
        guard let box = Base64.padded.decode(wrappedKey) else { throw .wrongKey(id: keyID) }
        do throws(CryptoError) {
            let fileKey = try SealedBox.open(box, key: key.bytes, context: Self.context(recording))
            if fileKey.count == AESGCM.keyBytes { return fileKey }
        } catch {}
        throw .wrongKey(id: keyID)
    }

    /// It binds a file key to its recording.
    private static func context(_ recording: UUID) -> [UInt8] { Array("wrapped_key:\(recording.lower)".utf8) }
}
