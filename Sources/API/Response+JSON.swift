import HTTP
import NeuroViewsJSON

extension Response {
    /// A response with a JSON object. `members` writes its members.
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

    /// A response with JSON text.
    static func json(_ status: Status, fields: FieldBlock = [], _ text: [UInt8]) -> Response {
        var all = jsonType
        all.append(fields)
        return Response(status, fields: all, content: .bytes(text))
    }

    /// A response with JSON text that is made while it is sent. It keeps `keepingBytes` in memory.
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
