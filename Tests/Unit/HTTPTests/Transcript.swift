import HTTP

/// The parser's results for some bytes, one line per event, with adjacent pieces of content joined. They must not
/// depend on how the bytes were split.
struct Transcript: Equatable {
    private(set) var lines: [String] = []
    private var content: [UInt8] = []

    /// Passes the pieces one after the other to a new parser, and records its results.
    init(_ pieces: [ArraySlice<UInt8>], limits: WireLimits = WireLimits()) {
        var parser = RequestParser(limits: limits)
        for piece in pieces {
            parser.input.append(contentsOf: piece)
            guard read(&parser) else { return }
        }
        flush()
        if !parser.isIdle { lines.append("waits") }
    }

    /// False after the parser threw an error.
    private mutating func read(_ parser: inout RequestParser) -> Bool {
        do throws(WireError) {
            while true {
                switch try parser.next() {
                case .needsMore: return true
                case .head(let head): lines.append(Transcript.line(head))
                case .body(let bytes): content.append(contentsOf: bytes)
                case .end:
                    flush()
                    lines.append("end")
                }
            }
        } catch {
            flush()
            lines.append("\(error.status.code) \(error.rawValue)")
            return false
        }
    }

    private mutating func flush() {
        guard !content.isEmpty else { return }
        lines.append("content " + String(decoding: content, as: UTF8.self))
        content = []
    }

    private static func line(_ head: RequestHead) -> String {
        let length =
            switch head.bodyLength {
            case .none: "none"
            case .length(let length): "\(length)"
            case .chunked: "chunked"
            }
        let connection = head.keepsAlive ? "keep" : "close"
        let query = head.query.map { " ?" + $0 } ?? ""
        let expects = head.expectsContinue ? " expects" : ""
        return "\(head.method.name) \(head.path)\(query) 1.\(head.minorVersion) \(connection) \(length)\(expects)"
    }
}

extension Transcript {
    /// The bytes in one piece.
    static func whole(_ bytes: [UInt8], limits: WireLimits = WireLimits()) -> Transcript {
        Transcript([bytes[...]], limits: limits)
    }

    /// The bytes one at a time.
    static func single(_ bytes: [UInt8], limits: WireLimits = WireLimits()) -> Transcript {
        Transcript(bytes.indices.map { bytes[$0...$0] }, limits: limits)
    }

    /// The bytes in two pieces.
    static func split(_ bytes: [UInt8], at index: Int, limits: WireLimits = WireLimits()) -> Transcript {
        Transcript([bytes[..<index], bytes[index...]], limits: limits)
    }
}
