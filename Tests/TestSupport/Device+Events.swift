import Crypto
import Foundation

extension Device {
    /// Now, as events have it.
    public static func eventTime() -> String { Date().formatted(.iso8601) }

    /// Agrees to analytics, by a version of the text.
    public func agree(version: String = "1") throws {
        let body = #"{"consents":{"analytics":{"granted":true,"version":"\#(version)"}}}"#
        let answer = try send("PUT", "/v2/account/consents", body: body)
        guard answer.status == 200 else { throw Program.Failure("\(answer.verdict) \(answer.text)") }
    }

    /// The headers that sign a request whose body has this digest.
    public func signature(_ method: String, _ url: String, digest: [UInt8]) throws -> APIClient.Fields {
        let (timestamp, nonce) = (String(Int(Date().timeIntervalSince1970)), UUID().uuidString)
        let signature = RequestSignature(
            version: .two(bodyDigest: digest),
            method: method,
            url: url,
            timestamp: timestamp,
            nonce: nonce
        )
        guard let signature, let key = Base64.padded.decode(signingKey) else {
            throw Program.Failure("nothing to sign")
        }
        let text = signature.signature(key: HMACSHA256(key: key))
        return [("X-Timestamp", timestamp), ("X-Nonce", nonce), ("X-Signature", text), ("X-Signature-Version", "2")]
    }
}
