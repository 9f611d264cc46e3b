import CloudSync
import Crypto
import HTTP
import JSON

extension RecordingRoutes {
    /// The public keys of receipts.
    func receiptKeys(_ context: RequestContext) async throws -> Response {
        let keys = try await recordings.receiptKeys.published()
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("keys")
        writer.beginArray()
        for key in keys {
            writer.beginObject()
            writer.member("key_id", string: key.keyID)
            writer.member("public_key", string: Base64.padded.encode(key.encodedPublicKey))
            writer.member("from", string: key.from.text)
            writer.member("until", optional: key.until?.text)
            writer.endObject()
        }
        writer.endArray()
        writer.endObject()
        return PublicDocument("application/json", writer.bytes).answer()
    }
}
