@testable import HTTP

/// With any names and values of fields, a head has the expected lines and ends once. Input: lines separated by a byte
/// 1, each with a name and a value separated by a zero byte.
enum ResponseEncoderTarget {
    private static let date = Array("Sun, 06 Nov 1994 08:49:37 GMT".utf8)
    private static let own = ["date", "connection", "content-length", "transfer-encoding"]

    static func check(_ bytes: [UInt8]) throws {
        var input = FuzzInput(bytes)
        let (flags, code, length) = (input.choice(), Int(input.choice()) * 4, Int(input.choice()) - 1)
        let fields = input.message.split(separator: 1).map { line in
            let parts = line.split(separator: 0, maxSplits: 1, omittingEmptySubsequences: false)
            return (name: text(parts[0]), value: parts.count == 2 ? text(parts[1]) : "")
        }
        let status = Status(code: code)
        let encoder = ResponseEncoder(
            minorVersion: Int(flags & 1),
            keepsAlive: flags & 2 != 0,
            isHead: flags & 4 != 0
        )
        let framing: ResponseFraming = [.none, .length(length), .chunked][Int(flags >> 3) % 3]
        var output: [UInt8] = []
        let half = fields.count - fields.count / 2
        let body = encoder.append(
            ResponseHead(status: status, fields: FieldBlock(Array(fields.prefix(half)))),
            framing: framing,
            date: date,
            fixedFields: FieldBlock(Array(fields.dropFirst(half))),
            to: &output
        )
        try check(output, status, fields)
        try property("HTTP/1.0 gets no chunks", flags & 1 == 1 || body != .chunked)
        try property("no content where none may be", !status.forbidsContent && flags & 4 == 0 || body == .nothing)
    }

    private static func text(_ bytes: ArraySlice<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }

    private static func check(_ output: [UInt8], _ status: Status, _ fields: [(name: String, value: String)]) throws {
        let lines = output.split(separator: .carriageReturn, omittingEmptySubsequences: false)
        let isClean = output.allSatisfy { $0.isFieldContent || $0 == .carriageReturn || $0 == .lineFeed }
        try property("there is no control character but tabs and those that end lines", isClean)
        try property("each line ends in CR LF", lines.dropFirst().allSatisfy { $0.first == .lineFeed })
        try property("no line feed stands elsewhere", output.count { $0 == .lineFeed } == lines.count - 1)
        try property("the head ends once", lines.dropFirst().map(\.count).firstIndex(of: 1) == lines.count - 3)
        try property("the status line comes first", lines[0].starts(with: "HTTP/1.1 \(status.code) ".utf8))
        let names = lines.dropFirst().dropLast(2).map { Array($0.dropFirst().prefix { $0 != .colon }) }
        let allowed = Set(fields.map(\.name)).subtracting(own)
        for name in names {
            let name = String(decoding: name, as: UTF8.self)
            try property("\(name) is a field", allowed.contains(name) || own.contains(name.lowercased()))
        }
        for name in own {
            let count = names.count { String(decoding: $0, as: UTF8.self).lowercased() == name }
            try property("\(name) comes once at most", count <= 1)
        }
    }
}
