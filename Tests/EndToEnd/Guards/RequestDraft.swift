import Foundation
import TestSupport

/// A request with the document's examples. Tests can change it before they send it.
struct RequestDraft {
    /// The value of the Host field.
    var host = "127.0.0.1"
    /// The password in the document's examples.
    private static let examplePassword = "nine old lenses on the shelf"
    /// The code of an authenticator app in the examples.
    private static let exampleCode = "287082"
    /// The ID token in the examples.
    private static let exampleIDToken = "eyJhbGciOiJFUzI1NiIsImtpZCI6ImsxIn0.eyJzdWIiOiIwMDE1In0.ZXhhbXBsZQ"

    var method: String
    /// The target's path as it is sent.
    var path: [UInt8]
    /// The target's query as it is sent, as a list of items.
    var query: [String]
    var fields: APIClient.Fields
    /// The content as it is sent; nil for none.
    var body: [UInt8]?

    /// A request by an account. Path parameters have the document's examples unless `values` has others.
    init(_ operation: Operation, by account: FilledAccount, _ values: [String: String] = [:]) {
        method = operation.method
        var (path, body) = (operation.path, operation.body?.example.text)
        for parameter in operation.parameters(in: .path) {
            let value = values[parameter.name] ?? account.value(of: parameter)
            path = path.replacing("{\(parameter.name)}", with: value)
            // The body names the same thing as the path.
            body = body?.replacing("\"\(parameter.example)\"", with: "\"\(value)\"")
        }
        // A restore names the tag of its version in the body.
        if let example = operation.body?.example["version"]?.string {
            body = body?.replacing("\"\(example)\"", with: "\"\(account.value(of: "tag", example))\"")
        }
        // A client with a session sends the password of its account, or a code of its app.
        if operation.needsToken {
            body = body?.replacing("\"\(Self.examplePassword)\"", with: "\"\(Device.password)\"")
            body = body?.replacing("\"\(Self.exampleCode)\"", with: "\"\(account.totpCode)\"")
            if body?.contains(Self.exampleIDToken) == true {
                body = body?.replacing(Self.exampleIDToken, with: Shared.apple.token(UUID().uuidString))
            }
        }
        if operation.name == "addPasskey", let person = try? PasskeyDevice(of: account.device) {
            body = try? person.registration()
        }
        // The events in the examples are too old by now.
        if operation.name == "recordEvents" {
            body = body?.replacing(/"timestamp":"[^"]*"/, with: #""timestamp":"\#(Device.eventTime())""#)
        }
        self.path = Array(path.utf8)
        query = operation.parameters(in: .query).filter(\.isRequired).map { "\($0.name)=\($0.example)" }
        fields = operation.needsToken ? [("Authorization", "Bearer \(account.device.token)")] : []
        if let mediaType = operation.body?.mediaType { fields.append(("Content-Type", mediaType)) }
        self.body = body.map { Array($0.utf8) }
        if let bytesType = operation.bytesType {
            fields.append(("Content-Type", bytesType))
            // The first bytes of a JPEG.
            self.body = [0xFF, 0xD8, 0xFF]
        }
    }

    /// A request without a token, with the document's examples.
    static func anonymous(_ operation: Operation) throws -> RequestDraft {
        // Cancelling an upload needs no token.
        let ends = operation.method == "DELETE" && !operation.needsToken
        var draft = RequestDraft(operation, by: ends ? try FilledAccount() : try FilledAccount.shared())
        draft.set("Authorization")
        return draft
    }

    /// Replaces the header fields of a name. Removes them if `values` is empty.
    mutating func set(_ name: String, _ values: String...) {
        fields.removeAll { $0.0.lowercased() == name.lowercased() }
        fields += values.map { (name, $0) }
    }

    /// The target as it is sent.
    var target: [UInt8] { path + (query.isEmpty ? [] : Array("?\(query.joined(separator: "&"))".utf8)) }

    /// The bytes of the request. They include Content-Length unless a field already gives the length.
    var bytes: [UInt8] {
        var head = " HTTP/1.1\r\nHost: \(host)\r\n"
        for (name, value) in fields { head += "\(name): \(value)\r\n" }
        let names = fields.map { $0.0.lowercased() }
        if let body, !names.contains("content-length"), !names.contains("transfer-encoding") {
            head += "Content-Length: \(body.count)\r\n"
        }
        return Array("\(method) ".utf8) + target + Array("\(head)\r\n".utf8) + (body ?? [])
    }

    /// Sends the request on a connection of its own.
    func send(_ client: APIClient) throws -> HTTPAnswer {
        let connection = try HTTPConnection(port: client.port)
        var draft = self
        draft.host = client.host
        try connection.send(draft.bytes)
        guard let answer = try connection.receive(isHead: method == "HEAD") else {
            throw Program.Failure("\(method) \(String(decoding: target, as: UTF8.self)): no answer")
        }
        return answer
    }
}
