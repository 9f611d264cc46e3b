import Foundation
import NeuroViewsCrypto

extension Device {
    /// The current time in the format of events.
    package static func eventTime() -> String { Date().formatted(.iso8601) }

    /// Grants a consent for a version of the text.
    package func agree(to category: String = "analytics", version: String = "1") throws {
        let body = #"{"consents":{"\#(category)":{"granted":true,"version":"\#(version)"}}}"#
        let answer = try send("PUT", "/v2/account/consents", body: body)
        guard answer.status == 200 else { throw Program.Failure("\(answer.verdict) \(answer.text)") }
    }

    /// The signature headers of a request by version 3, with these covered fields and this body digest.
    package func signature(
        _ method: String,
        _ url: String,
        _ fields: APIClient.Fields,
        digest: [UInt8]
    ) throws -> APIClient.Fields {
        guard let covered = SignedFields(fields.map { (name: $0.0, value: $0.1) }) else {
            throw Program.Failure("a field has no value")
        }
        let (timestamp, nonce) = (String(Int(Date().timeIntervalSince1970)), UUID().uuidString)
        let signature = RequestSignature(
            version: .three(covered, bodyDigest: digest),
            method: method,
            url: url,
            timestamp: timestamp,
            nonce: nonce
        )
        guard let signature, let key = Base64.padded.decode(signingKey) else {
            throw Program.Failure("nothing to sign")
        }
        let text = signature.signature(key: HMACSHA256(key: key))
        return [("X-Timestamp", timestamp), ("X-Nonce", nonce), ("X-Signature", text), ("X-Signature-Version", "3")]
    }
}
