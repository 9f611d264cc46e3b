import HTTP

/// The events of a request parser, with adjacent pieces of content joined. They must not depend on the split of the
/// bytes.
struct Conversation: Equatable {
    enum Entry: Equatable {
        case request(Head)
        case content([UInt8])
        case end
        /// The bytes end within a request.
        case waits
        case refused(WireError)
    }

    private(set) var entries: [Entry] = []
    private let limits: WireLimits
    private var requestBytes = 0

    /// Feeds the pieces one after the other to a new parser and records its events.
    init(_ pieces: [ArraySlice<UInt8>], limits: WireLimits) throws {
        self.limits = limits
        var parser = RequestParser(limits: limits)
        for piece in pieces {
            parser.input.append(contentsOf: piece)
            guard try read(&parser) else { return }
            try property("what waits to be read is bounded", parser.input.count <= Self.waitingMaxBytes(limits))
        }
        if !parser.isIdle { entries.append(.waits) }
    }

    /// The parser buffers an unfinished head, chunk line or trailer, but never content.
    private static func waitingMaxBytes(_ limits: WireLimits) -> Int {
        max(
            limits.headMaxBytes,
            limits.chunkSizeMaxDigits + limits.chunkExtensionsMaxBytes,
            limits.trailersMaxBytes
        ) + 2
    }

    /// False once the parser threw.
    private mutating func read(_ parser: inout RequestParser) throws -> Bool {
        do {
            while let event = try Self.next(&parser) { try note(event, parser.bodyBytes) }
            return true
        } catch let error as WireError {
            entries.append(.refused(error))
            let again = Result { try parser.next() }
            guard case .failure(let second as WireError) = again else {
                throw BrokenProperty(description: "a parser that refused goes on")
            }
            try property("the second refusal is the first", second == error)
            return false
        }
    }

    /// Nil if more bytes are needed.
    private static func next(_ parser: inout RequestParser) throws -> WireEvent? {
        let event = try parser.next()
        if case .needsMore = event { return nil }
        return event
    }

    private mutating func note(_ event: WireEvent, _ bodyBytes: Int) throws {
        switch event {
        case .needsMore: break
        case .head(let head):
            entries.append(.request(try Head(head, limits)))
            requestBytes = 0
        case .body(let bytes):
            try property("a piece of content is not empty", !bytes.isEmpty)
            requestBytes += bytes.count
            try property("the parser counts the content that it hands out", bodyBytes == requestBytes)
            noteContent(bytes)
        case .end:
            try checkLength()
            entries.append(.end)
        }
    }

    private mutating func noteContent(_ bytes: [UInt8]) {
        guard case .content(let before) = entries.last else { return entries.append(.content(bytes)) }
        entries[entries.count - 1] = .content(before + bytes)
    }

    private func checkLength() throws {
        guard let head = entries.lazy.reversed().compactMap(\.head).first else {
            throw BrokenProperty(description: "a request ends that never began")
        }
        switch head.length {
        case .none: try property("no content without a length", requestBytes == 0)
        case .length(let length): try property("the content is as long as was said", requestBytes == length)
        case .chunked: break
        }
    }
}

extension Conversation.Entry {
    var head: Conversation.Head? {
        if case .request(let head) = self { head } else { nil }
    }
}
