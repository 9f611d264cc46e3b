import NeuroViewsJSON
import NeuroViewsRules

/// Reads that pass the server's answer on to the app.
extension NeuroViews {
    /// Sends a request without a body as the account of the store.
    func ask(_ method: String, _ path: String) async throws(ClientError) -> Answer {
        try await session.ask(method, path, as: core.account?.id)
    }

    /// Reads what `make` understands.
    func read<Value>(_ path: String, _ make: (JSON) -> Value?) async throws(ClientError) -> Value {
        let answer = try await ask("GET", path)
        guard let value = answer.json.flatMap(make) else {
            throw .unexpectedAnswer("The answer to GET \(path.prefix { $0 != "?" }) is not as the interface has it.")
        }
        return value
    }

    /// Removes something. If it is not there any more, an earlier attempt or somebody else has done it.
    func remove(_ path: String) async throws(ClientError) {
        do throws(ClientError) {
            _ = try await ask("DELETE", path)
        } catch .refused(let problem) where problem.status == 404 {
            return
        }
    }
}

extension String {
    private static let plain = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~".utf8)
    private static let digits = Array("0123456789ABCDEF".utf8)

    /// As a part of a path or a value of a query (RFC 3986, 2.1): all but unreserved characters are encoded.
    var percentEncoded: String {
        var bytes: [UInt8] = []
        for byte in utf8 {
            if Self.plain.contains(byte) {
                bytes.append(byte)
            } else {
                bytes += [UInt8(ascii: "%"), Self.digits[Int(byte >> 4)], Self.digits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
