import HTTP
import Uploads

/// The head of a request with this method and these fields.
func uploadHead(_ method: String, _ fields: [String]) throws -> RequestHead {
    var parser = RequestParser()
    parser.input = Array((["\(method) /u HTTP/1.1", "Host: h"] + fields + ["", ""]).joined(separator: "\r\n").utf8)
    guard case .head(let head) = try parser.next() else { throw WireError.malformedRequestLine }
    return head
}

extension ResponseHead {
    /// The status, and the fields in their order: `204 | Upload-Offset: 3`.
    var line: String { (["\(status.code)"] + fields.list.map { "\($0.name): \($0.value)" }).joined(separator: " | ") }
}
