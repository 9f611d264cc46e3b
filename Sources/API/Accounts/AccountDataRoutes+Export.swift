import CloudSync
import HTTP
import NeuroViewsJSON

extension AccountDataRoutes {
    /// A slower reader would hold memory for too long.
    static let exportRate = MinimumRate(bytesPerSecond: 16 << 10)
    private static let fields: FieldBlock = [
        ("Content-Disposition", "attachment; filename=\"neuroviews-account.json\"")
    ]

    func export(_ context: RequestContext) async throws -> Response {
        let caller = try context.caller()
        if context.head.method == .head {
            try await exports.check(caller)
            return .json(.ok, fields: Self.fields, keepingBytes: 0) { _ in }
        }
        let (reader, seat) = try await exports.begin(for: caller, from: context.address)
        let publicURL = context.publicURL
        let keptBytes = PieceWriter.keptBytes + ExportReader.pageMemoryBytes
        return .json(.ok, fields: Self.fields, keepingBytes: keptBytes) { stream in
            var output = PieceWriter(stream)
            try await send(reader, at: publicURL, to: &output)
            try await output.flush()
            // Before the client sees the end, so that it may start another export at once.
            seat.leave()
        }
    }

    private func send(_ reader: ExportReader, at publicURL: String, to output: inout PieceWriter) async throws {
        output.writer.beginObject()
        output.writer.member("format", integer: 1)
        output.writer.member("urls_expire_at", string: links.end)
        for section in ExportSection.all {
            output.writer.member(section.name)
            if section.isSingle {
                try await reader.forEachPage(of: section) { page in
                    if page.count > 0 { try await output.append(page.json(0)) }
                }
            } else {
                try await send(section, reader, at: publicURL, to: &output)
            }
        }
        output.writer.endObject()
    }

    /// An item stays open until a row of another item follows: its versions may span several pages.
    private func send(
        _ section: ExportSection,
        _ reader: ExportReader,
        at publicURL: String,
        to output: inout PieceWriter
    ) async throws {
        output.writer.beginArray()
        var openID: String?
        try await reader.forEachPage(of: section) { page in
            try await output.keep(page)
            for index in 0..<page.count {
                if let id = page.itemID(index), id != openID {
                    if openID != nil { Self.endItem(&output.writer) }
                    openID = id
                    try await begin(page, index, at: publicURL, &output)
                }
                try await output.append(page.json(index))
            }
        }
        if openID != nil { Self.endItem(&output.writer) }
        output.writer.endArray()
    }

    private static func endItem(_ writer: inout JSONWriter) {
        writer.endArray()
        writer.endObject()
    }

    /// Writes the item without its closing brace, then the URLs of its file and the start of its versions.
    private func begin(
        _ page: ExportPage,
        _ index: Int,
        at publicURL: String,
        _ output: inout PieceWriter
    ) async throws {
        guard let item = page.item(index) else { throw UnknownItem() }
        try await output.append(item, isOpen: true)
        if let file = try page.file(index) {
            output.writer.member("urls")
            links.write(file, file.parts, at: publicURL, to: &output.writer)
        }
        output.writer.member("versions")
        output.writer.beginArray()
    }

    /// The rows of an item did not start with its first row.
    private struct UnknownItem: Error {}
}
