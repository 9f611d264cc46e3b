import HTTP
import JSON

extension Response {
    /// A JSON object whose members `members` writes.
    static func json(
        _ status: Status,
        fields: FieldBlock = [],
        reservingBytes: Int = 256,
        _ members: (inout JSONWriter) -> Void
    ) -> Response {
        var writer = JSONWriter(reservingBytes: reservingBytes)
        writer.beginObject()
        members(&writer)
        writer.endObject()
        return json(status, fields: fields, writer.bytes)
    }

    /// JSON text as it is.
    static func json(_ status: Status, fields: FieldBlock = [], _ text: [UInt8]) -> Response {
        var all = jsonType
        all.append(fields)
        return Response(status, fields: all, content: .bytes(text))
    }

    /// JSON text that is made while it is sent, which keeps so many bytes in memory.
    static func json(
        _ status: Status,
        fields: FieldBlock = [],
        keepingBytes: Int,
        streaming write: @escaping @Sendable (ResponseStream) async throws -> Void
    ) -> Response {
        var all = jsonType
        all.append(fields)
        return Response(status, fields: all, content: .stream(keepingBytes: keepingBytes, write))
    }

    private static let jsonType: FieldBlock = [("Content-Type", "application/json")]
}
