import Compression

/// The unpacked text never exceeds the limit and is the same with every sufficient limit. Trailing bytes are an error.
enum GzipTarget {
    private static let maxBytes = 64 << 10

    static func check(_ bytes: [UInt8]) throws {
        guard let text = try? Gzip.unpacked(bytes, maxBytes: maxBytes) else { return }
        try property("the limit holds", text.count <= maxBytes)
        try property("it fits exactly", (try? Gzip.unpacked(bytes, maxBytes: text.count)) == text)
        if !text.isEmpty { try property("it does not fit into less", failure(bytes, text.count - 1) == .tooLarge) }
        try property("nothing may follow", failure(bytes + [0], maxBytes) == .trailingBytes)
        try property("nothing may be missing", failure(Array(bytes.dropLast()), maxBytes) == .truncated)
        try property(
            "twice it is twice the text",
            (try? Gzip.unpacked(bytes + bytes, maxBytes: 2 * maxBytes)) == text + text
        )
    }

    private static func failure(_ bytes: [UInt8], _ maxBytes: Int) -> GzipError? {
        do throws(GzipError) {
            _ = try Gzip.unpacked(bytes, maxBytes: maxBytes)
            return nil
        } catch {
            return error
        }
    }
}
