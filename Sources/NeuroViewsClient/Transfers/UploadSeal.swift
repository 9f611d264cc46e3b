import NeuroViewsCrypto
import NeuroViewsJSON

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// How a file is sealed on its way. The same seal makes the same bytes of the same file, so an upload that was cut goes on. A file
/// with other bytes needs another seal: two files under one key and header would betray each other.
struct UploadSeal: Sendable, Equatable {
    /// The tags of all segments are in memory while the file is sent.
    static let fileMaxBytes: Int64 = 1 << 40

    let fileKey: [UInt8]
    let header: SealedStream.Header
    let envelope: RecordingEnvelope
    /// The metadata that the server does not read, sealed. A completion is repeated as it was.
    let metadata: String

    /// Makes a new one. `type` is the media type of the file itself.
    init(of recording: UUID, _ metadata: RecordingMetadata, type: String, by key: RecordingKey) throws(ClientError) {
        do throws(CryptoError) {
            fileKey = try SecureRandom.bytes(AESGCM.keyBytes)
            header = try SealedStream.Header()
            envelope = try RecordingEnvelope(fileKey, of: recording, by: key)
        } catch {
            throw .store(.other("a file can't be encrypted"))
        }
        self.metadata = try HiddenMetadata.seal(metadata, type: type, fileKey)
    }

    /// For the store, which encrypts it.
    var stored: JSON {
        .object(
            JSONObject([
                .init(name: "file_key", value: .string(Base64.padded.encode(fileKey))),
                .init(name: "header", value: .string(Base64.padded.encode(header.bytes))),
                .init(name: "key_id", value: .string(envelope.keyID)),
                .init(name: "wrapped_key", value: .string(envelope.wrappedKey)),
                .init(name: "metadata", value: .string(metadata)),
            ])
        )
    }

    /// Reads what `stored` has made; nil for anything else.
    init?(stored: JSON) {
        guard let fileKey = stored["file_key"]?.string.flatMap({ Base64.padded.decode($0) }),
            let head = stored["header"]?.string.flatMap({ Base64.padded.decode($0) }),
            let header = SealedStream.Header(head), let keyID = stored["key_id"]?.string,
            let wrappedKey = stored["wrapped_key"]?.string, let metadata = stored["metadata"]?.string
        else { return nil }
        (self.fileKey, self.header, self.metadata) = (fileKey, header, metadata)
        envelope = RecordingEnvelope(keyID: keyID, wrappedKey: wrappedKey)
    }
}
