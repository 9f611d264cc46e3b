import CloudSync
import HTTP
import JSON

/// The JSON text of a delta: whole, or sent in pieces while pages come from the database. Both are the same bytes.
struct DeltaAnswer: Sendable {
    private let delta: Delta
    private let hasLimit: Bool
    /// What is sent at once, and the most that waits for a slow client.
    private static let pieceBytes = 128 << 10

    init(_ delta: Delta, hasLimit: Bool) {
        self.delta = delta
        self.hasLimit = hasLimit
    }

    /// The text of a delta that is at hand.
    func whole() -> [UInt8] {
        var writer = JSONWriter(reservingBytes: 256 + delta.count * 1024)
        writer.beginObject()
        writer.member("configurations")
        writer.beginArray()
        appendDocuments(to: &writer)
        writer.endArray()
        writer.member("deleted")
        writer.beginArray()
        appendDeleted(to: &writer)
        writer.endArray()
        writer.member("versions")
        writer.beginObject()
        for index in 0..<delta.count { Self.append(versionOf: delta[index], to: &writer) }
        writer.endObject()
        appendEnd(to: &writer)
        return writer.bytes
    }

    /// Sends the text; `pages` reads what is not at hand. A failure in the middle ends the connection.
    func send(to stream: ResponseStream, _ pages: (DeltaPages.Kind) -> DeltaPages) async throws {
        var output = Output(stream: stream, pieceBytes: Self.pieceBytes)
        output.writer.beginObject()
        output.writer.member("configurations")
        output.writer.beginArray()
        appendDocuments(to: &output.writer)
        try await output.append(pages(.documents)) { item, writer in writer.raw(item.appendDocument) }
        output.writer.endArray()
        output.writer.member("deleted")
        output.writer.beginArray()
        if delta.isListed {
            appendDeleted(to: &output.writer)
        } else {
            try await output.append(pages(.deleted)) { item, writer in writer.string(plain: item.appendID) }
        }
        output.writer.endArray()
        output.writer.member("versions")
        output.writer.beginObject()
        if delta.isListed {
            for index in 0..<delta.count { Self.append(versionOf: delta[index], to: &output.writer) }
        } else {
            try await output.append(pages(.versions), Self.append(versionOf:to:))
        }
        output.writer.endObject()
        appendEnd(to: &output.writer)
        try await output.flush()
    }
}

extension DeltaAnswer {
    private func appendDocuments(to writer: inout JSONWriter) {
        for index in 0..<delta.documentCount {
            let item = delta[index]
            if !item.isDeleted { writer.raw(item.appendDocument) }
        }
    }

    private func appendDeleted(to writer: inout JSONWriter) {
        for index in 0..<delta.count {
            let item = delta[index]
            if item.isDeleted { writer.string(plain: item.appendID) }
        }
    }

    private static func append(versionOf item: DeltaItem, to writer: inout JSONWriter) {
        writer.member(plain: item.appendID)
        writer.raw(item.appendVersion)
    }

    private func appendEnd(to writer: inout JSONWriter) {
        writer.member("sync_token", string: delta.next.text)
        writer.member("server_time", string: delta.serverTime)
        if let hash = delta.stateHash { writer.member("state_hash", string: hash) }
        writer.member("reset", bool: delta.isReset)
        if hasLimit { writer.member("has_more", bool: delta.hasMore) }
        writer.endObject()
    }

    /// A writer whose bytes leave whenever there are enough of them.
    private struct Output {
        let stream: ResponseStream
        let pieceBytes: Int
        var writer: JSONWriter

        init(stream: ResponseStream, pieceBytes: Int) {
            self.stream = stream
            self.pieceBytes = pieceBytes
            writer = JSONWriter(reservingBytes: pieceBytes + pieceBytes / 4)
        }

        mutating func append(
            _ pages: DeltaPages,
            _ append: (DeltaItem, inout JSONWriter) -> Void
        ) async throws {
            var pages = pages
            while let page = try await pages.next() {
                for index in 0..<page.count {
                    append(page[index], &writer)
                    if writer.bytes.count >= pieceBytes { try await flush() }
                }
            }
        }

        mutating func flush() async throws {
            try await stream.write(writer.bytes)
            writer.removeBytes()
        }
    }
}
