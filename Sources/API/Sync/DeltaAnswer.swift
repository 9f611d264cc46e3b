import CloudSync
import HTTP
import NeuroViewsJSON

/// The JSON text of a delta: whole, or sent in pieces while pages are read from the database. Both have the same bytes.
struct DeltaAnswer: Sendable {
    /// Appends the end of an item's document in place of its closing brace.
    typealias End = @Sendable (DeltaItem, inout [UInt8]) -> Void

    private let delta: Delta
    private let hasLimit: Bool
    /// The member with the documents.
    private let name: String
    private let end: End?

    init(_ delta: Delta, hasLimit: Bool, name: String, end: End? = nil) {
        self.delta = delta
        self.hasLimit = hasLimit
        self.name = name
        self.end = end
    }

    /// The text of a delta that is completely in memory.
    func whole() -> [UInt8] {
        var writer = JSONWriter(reservingBytes: 256 + delta.count * 1024)
        writer.beginObject()
        writer.member(name)
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

    /// Sends the text; `pages` reads the rest from the database. A failure in the middle ends the connection.
    func send(to stream: ResponseStream, _ pages: (DeltaPages.Kind) throws -> DeltaPages) async throws {
        var output = Output(stream: stream, keptBytes: keptBytes, end: end)
        output.writer.beginObject()
        output.writer.member(name)
        output.writer.beginArray()
        for index in 0..<delta.documentCount { try await output.append(documentOf: delta[index]) }
        try await output.append(try pages(.documents)) { output, item in try await output.append(documentOf: item) }
        output.writer.endArray()
        output.writer.member("deleted")
        output.writer.beginArray()
        if delta.isListed {
            for index in 0..<delta.count where delta[index].isDeleted { try await output.append(idOf: delta[index]) }
        } else {
            try await output.append(try pages(.deleted)) { output, item in try await output.append(idOf: item) }
        }
        output.writer.endArray()
        output.writer.member("versions")
        output.writer.beginObject()
        if delta.isListed {
            for index in 0..<delta.count { try await output.append(versionOf: delta[index]) }
        } else {
            try await output.append(try pages(.versions)) { output, item in try await output.append(versionOf: item) }
        }
        output.writer.endObject()
        appendEnd(to: &output.writer)
        try await output.flush()
    }

    /// Bytes that `send` keeps in memory besides a page.
    var keptBytes: Int { delta.memoryBytes + Output.bytes }
}

extension DeltaAnswer {
    private func appendDocuments(to writer: inout JSONWriter) {
        for index in 0..<delta.documentCount {
            let item = delta[index]
            if item.isDeleted { continue }
            writer.raw { text in
                item.appendDocument(0..<Self.sentBytes(of: item, end), to: &text)
                end?(item, &text)
            }
        }
    }

    private func appendDeleted(to writer: inout JSONWriter) {
        for index in 0..<delta.count {
            let item = delta[index]
            if item.isDeleted { writer.string(plain: item.appendID) }
        }
    }

    /// Bytes of the stored document in the response.
    private static func sentBytes(of item: DeltaItem, _ end: End?) -> Int { item.documentBytes - (end == nil ? 0 : 1) }

    private static func append(versionOf item: DeltaItem, to writer: inout JSONWriter) {
        writer.member(plain: item.appendID)
        writer.string(plain: item.appendTag)
    }

    private func appendEnd(to writer: inout JSONWriter) {
        writer.member("sync_token", string: delta.next.text)
        writer.member("server_time", string: delta.serverTime)
        if let hash = delta.stateHash { writer.member("state_hash", string: hash) }
        writer.member("reset", bool: delta.isReset)
        if hasLimit { writer.member("has_more", bool: delta.hasMore) }
        writer.endObject()
    }

    /// A writer that sends its bytes in pieces and counts them with the memory of their source.
    private struct Output {
        let stream: ResponseStream
        /// Bytes that are kept besides a page.
        let keptBytes: Int
        let end: End?
        var writer = JSONWriter(reservingBytes: bufferBytes)
        /// Bytes sent at once, and the most that waits for a slow client.
        private static let pieceBytes = 128 << 10
        /// A piece, and the little that an item adds to it.
        private static let bufferBytes = pieceBytes + 1024
        /// The buffer and the connection's copy of it.
        static let bytes = 2 * bufferBytes

        mutating func append(
            _ pages: DeltaPages,
            _ append: (inout Output, DeltaItem) async throws -> Void
        ) async throws {
            var pages = pages
            while let page = try await pages.next() {
                try await stream.keep(bytes: keptBytes + page.memoryBytes)
                for index in 0..<page.count { try await append(&self, page[index]) }
            }
        }

        /// A large document fills several pieces.
        mutating func append(documentOf item: DeltaItem) async throws {
            if item.isDeleted { return }
            let count = DeltaAnswer.sentBytes(of: item, end)
            var sent = 0
            writer.raw { _ in }
            while sent < count {
                let next = min(count, sent + max(1, Self.pieceBytes - writer.bytes.count))
                writer.append { item.appendDocument(sent..<next, to: &$0) }
                sent = next
                try await flushIfFull()
            }
            if let end { writer.append { end(item, &$0) } }
        }

        mutating func append(idOf item: DeltaItem) async throws {
            writer.string(plain: item.appendID)
            try await flushIfFull()
        }

        mutating func append(versionOf item: DeltaItem) async throws {
            DeltaAnswer.append(versionOf: item, to: &writer)
            try await flushIfFull()
        }

        private mutating func flushIfFull() async throws {
            if writer.bytes.count >= Self.pieceBytes { try await flush() }
        }

        mutating func flush() async throws {
            try await stream.write(writer.bytes)
            writer.removeBytes()
        }
    }
}
