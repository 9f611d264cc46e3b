/// An answer as a transport received it.
package struct TransferAnswer: Sendable {
    package let status: Int
    /// In the order of the answer, with the names as they were sent.
    package let fields: [TransferRequest.Field]
    /// Empty if the body went into a file.
    package let body: [UInt8]

    package init(status: Int, fields: [TransferRequest.Field], body: [UInt8]) {
        self.status = status
        self.fields = fields
        self.body = body
    }

    /// The value of the first field of that name, in any case.
    package subscript(_ name: String) -> String? {
        let name = name.lowercased()
        return fields.first { $0.name.lowercased() == name }?.value
    }
}

/// The head of an answer, read line by line.
struct AnswerHead {
    private(set) var status = 0
    private(set) var fields: [TransferRequest.Field] = []
    /// True after the empty line of a head that is not interim. Trailers are dropped.
    private(set) var isComplete = false
    private var bytes = 0

    /// Reads a line with its line end. Another head follows that of an interim answer. Returns false if all heads together
    /// have more than `maxBytes`.
    mutating func take(_ line: [UInt8], maxBytes: Int) -> Bool {
        bytes += line.count
        guard bytes <= maxBytes else { return false }
        guard !isComplete else { return true }
        let text = String(decoding: line, as: UTF8.self).trimmed
        if text.hasPrefix("HTTP/") {
            fields = []
            status = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        } else if text.isEmpty {
            isComplete = status >= 200
        } else if let colon = text.firstIndex(of: ":") {
            fields.append((String(text[..<colon]), String(String(text[text.index(after: colon)...]).trimmed)))
        }
        return true
    }

    func answer(_ body: [UInt8]) -> TransferAnswer {
        TransferAnswer(status: status, fields: fields, body: body)
    }
}

extension String {
    /// Without spaces, tabs and line ends at either side.
    fileprivate var trimmed: Substring {
        let isSpace: (UInt8) -> Bool = { [9, 10, 13, 32].contains($0) }
        var text = utf8[...]
        while let first = text.first, isSpace(first) { text.removeFirst() }
        while let last = text.last, isSpace(last) { text.removeLast() }
        return Substring(text)
    }
}
