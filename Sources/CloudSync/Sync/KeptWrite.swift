import NeuroViewsJSON
import Postgres

/// An earlier write of a request with an Idempotency-Key: a row of `WriteSQL.kept`.
struct KeptWrite: Sendable {
    /// The write's position in the request, from 1.
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

    /// The stored array for a request of `count` writes: one element for each, null for a write that stored nothing.
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
