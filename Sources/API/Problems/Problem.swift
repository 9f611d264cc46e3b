import HTTP
import JSONSchema
import NeuroViewsJSON
import Problems

/// An error in the form that clients get: RFC 9457, application/problem+json.
struct Problem: Error {
    let type: ProblemType
    /// The type's own, but for uploads: each of their dialects has some of its own.
    var status: Status
    var detail: String
    var violations: [Violation] = []
    var fields: [(name: String, value: String)] = []
    /// The shortest pause before a repetition; nil: no Retry-After.
    var retrySeconds: Int?
    /// Members beyond those of the RFC, as JSON text.
    var extensions: [(name: String, json: [UInt8])] = []

    init(_ type: ProblemType, _ detail: String? = nil) {
        self.type = type
        status = Status(code: type.status)
        self.detail = detail ?? type.advice
    }

    /// The response. `base` is the public URL, under which each type has a page; `instance` is the request's id.
    func response(base: String, instance: String) -> Response {
        var writer = JSONWriter()
        write(to: &writer, base: base, instance: instance)
        var all: [(name: String, value: String)] = [("Content-Type", "application/problem+json")] + fields
        if let retrySeconds { all.append(RetryAfter.field(retrySeconds)) }
        return Response(status, fields: FieldBlock(all), content: .bytes(writer.bytes))
    }

    /// Writes the problem as an object.
    func write(to writer: inout JSONWriter, base: String, instance: String) {
        writer.beginObject()
        writer.member("type", string: type.uri(under: base))
        writer.member("title", string: type.title)
        writer.member("status", integer: Int64(status.code))
        writer.member("detail", string: detail)
        writer.member("instance", string: instance)
        if !violations.isEmpty { Self.write(violations, to: &writer) }
        for member in extensions { writer.member(member.name, raw: member.json) }
        writer.endObject()
    }

    private static func write(_ violations: [Violation], to writer: inout JSONWriter) {
        writer.list("errors", violations) { violation, writer in
            writer.member("pointer", string: violation.pointer)
            writer.member("keyword", string: violation.keyword)
            writer.member("detail", string: violation.detail)
        }
    }
}
