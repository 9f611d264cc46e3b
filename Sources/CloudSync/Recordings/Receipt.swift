import Crypto
import JSON

/// The statement that a server signs about a verified file. It is the proof that the client may delete its copy.
struct Receipt: Sendable {
    /// The signing key.
    struct Signer: Sendable {
        let keyID: String
        let key: Ed25519Key
    }

    /// JSON.
    let payload: [UInt8]

    /// Nil for a file that is not verified.
    init?(of file: RecordingFile, account: String) {
        guard let digest = file.verifiedSHA256, let verifiedAt = file.verifiedAt else { return nil }
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("account", string: account)
        writer.member("id", string: file.spelledID)
        writer.member("size", integer: Int64(file.size))
        writer.member("sha256", string: Base64.padded.encode(digest))
        writer.member("verified_at", string: verifiedAt.text)
        writer.endObject()
        payload = writer.bytes
    }

    /// The JSON of a recording's document.
    func signed(by signer: Signer) throws(CryptoError) -> JSONValue {
        let signature = try signer.key.sign(payload)
        return .object(
            JSONObject([
                .init(name: "payload", value: .string(Base64.padded.encode(payload))),
                .init(name: "signature", value: .string(Base64.padded.encode(signature))),
                .init(name: "key_id", value: .string(signer.keyID)),
            ])
        )
    }
}
