import HTTP
import JSON

extension Response {
    /// A JSON object whose members `members` writes.
    static func json(
        _ status: Status,
        fields: [(name: String, value: String)] = [],
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
    static func json(_ status: Status, fields: [(name: String, value: String)] = [], _ text: [UInt8]) -> Response {
        Response(status, fields: [("Content-Type", "application/json")] + fields, content: .bytes(text))
    }
}
