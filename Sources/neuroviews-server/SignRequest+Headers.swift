import Crypto
import Foundation

extension SignRequest {
    /// The headers that sign the request now, one a line.
    func headers() throws -> String {
        let timestamp = String(Int(Date().timeIntervalSince1970))
        let nonce = UUID().uuidString
        let signature = RequestSignature(
            version: version == 2 ? .two(bodyDigest: SHA256.hash(try body())) : .one,
            method: method,
            url: url,
            timestamp: timestamp,
            nonce: nonce
        )
        guard let signature else { throw CommandFailure("A method and a URL are needed.") }
        var lines = [
            "X-Timestamp: \(timestamp)", "X-Nonce: \(nonce)",
            "X-Signature: \(signature.signature(key: HMACSHA256(key: key)))",
        ]
        if version == 2 { lines.append("X-Signature-Version: 2") }
        return lines.map { $0 + "\n" }.joined()
    }

    private func body() throws -> [UInt8] {
        guard let bodyPath else { return [] }
        guard let data = FileManager.default.contents(atPath: bodyPath) else {
            throw CommandFailure("The body can't be read from \(bodyPath): name a file that exists.")
        }
        return Array(data)
    }
}
