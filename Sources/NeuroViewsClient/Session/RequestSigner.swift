import NeuroViewsCrypto

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Puts the token and a signature of version 3 on a request, which must not change afterwards.
enum RequestSigner {
    /// Returns the fields of a session. Throws `.invalidArgument` if a field can't be signed.
    static func fields(
        for request: TransferRequest,
        by login: SessionRecord.Login,
        at time: Int64,
        nonce: UUID = UUID()
    ) throws(ClientError) -> [TransferRequest.Field] {
        var body: [UInt8] = []
        if case .bytes(let bytes) = request.body { body = bytes }
        let (time, nonce) = (String(time), nonce.uuidString.lowercased())
        guard let covered = SignedFields(request.fields),
            let signature = RequestSignature(
                version: .three(covered, bodyDigest: SHA256.hash(body)),
                method: request.method,
                url: request.url,
                timestamp: time,
                nonce: nonce
            )
        else { throw .invalidArgument("A field of the request is empty or has a line end.") }
        return [
            ("Authorization", "Bearer " + login.token), ("X-Timestamp", time), ("X-Nonce", nonce),
            ("X-Signature-Version", "3"), ("X-Signature", signature.signature(key: HMACSHA256(key: login.key))),
        ]
    }
}
