import FoundationEssentials
import Machine
import NeuroViewsCrypto

extension SignRequest {
    /// The headers that sign the request now, and the signed headers, one a line.
    func headers() throws -> String {
        let key = HMACSHA256(key: try key())
        let timestamp = String(Int(Date().timeIntervalSince1970))
        let nonce = UUID().uuidString
        let signature = RequestSignature(
            version: try signedVersion(),
            method: method,
            url: url,
            timestamp: timestamp,
            nonce: nonce
        )
        guard let signature else { throw CommandFailure("A method and a URL are needed.") }
        var lines = [
            "X-Timestamp: \(timestamp)", "X-Nonce: \(nonce)",
            "X-Signature: \(signature.signature(key: key))",
        ]
        if version > 1 { lines.append("X-Signature-Version: \(version)") }
        lines += covered.map { "\($0.name): \($0.value)" }
        return lines.map { $0 + "\n" }.joined()
    }

    private func signedVersion() throws -> RequestSignature.Version {
        guard version > 1 else { return .one }
        guard let fields = SignedFields(covered.map { ($0.name, $0.value) }) else {
            throw CommandFailure("A header that is to be signed has no value.")
        }
        return .three(fields, bodyDigest: SHA256.hash(try body()))
    }

    /// Error messages contain neither the key nor the file's content. The file may be a pipe: `--key-file /dev/stdin`.
    private func key() throws -> [UInt8] {
        let text: String
        do {
            text = try FileDescriptor.readText(keyPath, maxBytes: 256)
        } catch {
            throw CommandFailure("The signing key can't be read: \(error).", status: .noInput)
        }
        guard let bytes = Base64.padded.decode(text.filter { !$0.isWhitespace }), bytes.count == 32 else {
            throw CommandFailure(
                "\(keyPath) has no signing key: it must have the Base64 of 32 bytes, the signing_key that login answered.",
                status: .data
            )
        }
        return bytes
    }

    private func body() throws -> [UInt8] {
        guard let bodyPath else { return [] }
        guard let data = FileManager.default.contents(atPath: bodyPath) else {
            throw CommandFailure("The body can't be read from \(bodyPath): name a file that exists.")
        }
        return Array(data)
    }
}
