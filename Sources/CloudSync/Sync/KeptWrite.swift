import JSON
import Postgres

/// What a request with an Idempotency-Key has written: a row of `WriteSQL.kept`.
struct KeptWrite: Sendable {
    /// The write's place in the request, from 1.
    let number: Int
    let receipt: WriteReceipt

    init(_ columns: inout Columns) throws(UnexpectedResult) {
        number = try columns.next()
        let (id, version, changedAt): (String, String, String) = (
            try columns.next(), try columns.next(), try columns.next()
        )
        guard let tag = VersionTag(version) else { throw UnexpectedResult("a kept answer has no version") }
        receipt = WriteReceipt(id: id, version: tag, changedAt: changedAt)
    }

    /// The array that is kept for a request of so many writes: an element for each, null for one that did not write.
    static func answer(_ written: [Int: WriteReceipt], of count: Int) -> [UInt8] {
        var writer = JSONWriter(reservingBytes: count * 128)
        writer.beginArray()
        for number in 1...count {
            guard let receipt = written[number] else {
                writer.null()
                continue
            }
            writer.beginObject()
            writer.member("id", string: receipt.id)
            writer.member("version", string: receipt.version.text)
            writer.member("changed_at", string: receipt.changedAt)
            writer.endObject()
        }
        writer.endArray()
        return writer.bytes
    }
}
