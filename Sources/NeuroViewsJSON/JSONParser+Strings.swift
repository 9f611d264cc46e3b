extension JSONParser {
    /// Reads a string. Its opening quote is next.
    mutating func string(_ text: borrowing Span<UInt8>) throws(JSONError) -> String {
        position += 1
        let start = position
        var end = start
        while end < text.count, !JSONEscaping.isEscaped(text[end]) { end += 1 }
        position = end
        guard end < text.count else { throw error(.unexpectedEnd) }
        switch text[end] {
        case Byte.quote:
            position += 1
            return try decode(text, from: start, to: end)
        case Byte.backslash: return try stringWithEscapes(text, from: start)
        default: throw error(.controlCharacter)
        }
    }

    /// Makes a string of bytes after checking that they are UTF-8.
    func decode(_ text: borrowing Span<UInt8>, from start: Int, to end: Int) throws(JSONError) -> String {
        let part = text.extracting(start..<end)
        if let string = String(checking: part) { return string }
        throw error(.invalidUTF8, at: start + part.withUnsafeBytes { Self.validPrefix($0) })
    }

    /// The number of bytes before the first that isn't UTF-8.
    private static func validPrefix(_ bytes: some Sequence<UInt8>) -> Int {
        var parser = Unicode.UTF8.ForwardParser()
        var rest = bytes.makeIterator()
        var count = 0
        while case .valid(let scalar) = parser.parseScalar(from: &rest) { count += scalar.count }
        return count
    }

    /// Continues a string at its first escape.
    private mutating func stringWithEscapes(
        _ text: borrowing Span<UInt8>,
        from start: Int
    ) throws(JSONError) -> String {
        var bytes: [UInt8] = []
        for index in start..<position { bytes.append(text[index]) }
        while position < text.count {
            let byte = text[position]
            if byte == Byte.quote {
                position += 1
                return try decodeUnescaped(bytes, from: start)
            }
            if byte < Byte.space { throw error(.controlCharacter) }
            if byte == Byte.backslash {
                try escape(text, into: &bytes)
            } else {
                bytes.append(byte)
                position += 1
            }
        }
        throw error(.unexpectedEnd)
    }

    private func decodeUnescaped(_ bytes: [UInt8], from start: Int) throws(JSONError) -> String {
        let bytes = bytes[...]
        if let string = String(checking: bytes.span) { return string }
        // Escapes make offsets into the result useless, so the error is at the start of the string.
        throw error(.invalidUTF8, at: start)
    }

    private mutating func escape(_ text: borrowing Span<UInt8>, into bytes: inout [UInt8]) throws(JSONError) {
        guard position + 1 < text.count else { throw error(.unexpectedEnd, at: text.count) }
        switch text[position + 1] {
        case Byte.quote: bytes.append(Byte.quote)
        case Byte.backslash: bytes.append(Byte.backslash)
        case Byte.slash: bytes.append(Byte.slash)
        case UInt8(ascii: "b"): bytes.append(0x08)
        case UInt8(ascii: "f"): bytes.append(0x0C)
        case UInt8(ascii: "n"): bytes.append(Byte.newline)
        case UInt8(ascii: "r"): bytes.append(Byte.carriageReturn)
        case UInt8(ascii: "t"): bytes.append(Byte.tab)
        case UInt8(ascii: "u"): return try unicodeEscape(text, into: &bytes)
        default: throw error(.invalidEscape)
        }
        position += 2
    }

    /// Reads `\uXXXX`, and the low surrogate that must follow a high one.
    private mutating func unicodeEscape(_ text: borrowing Span<UInt8>, into bytes: inout [UInt8]) throws(JSONError) {
        let start = position
        let first = try codeUnit(text, at: position)
        position += 6
        if first == 0, policy.refusesNUL { throw error(.nul, at: start) }
        if let scalar = Unicode.Scalar(first) { return Self.append(scalar, to: &bytes) }
        if UTF16.isLeadSurrogate(first), Self.startsUnicodeEscape(text, at: position) {
            let second = try codeUnit(text, at: position)
            if UTF16.isTrailSurrogate(second) {
                position += 6
                let pair = UTF16.EncodedScalar([first, second])
                return Self.append(UTF16.decode(pair), to: &bytes)
            }
        }
        if policy.refusesLoneSurrogates { throw error(.loneSurrogate, at: start) }
        Self.append("\u{FFFD}", to: &bytes)
    }

    private static func startsUnicodeEscape(_ text: borrowing Span<UInt8>, at place: Int) -> Bool {
        place + 1 < text.count && text[place] == Byte.backslash && text[place + 1] == UInt8(ascii: "u")
    }

    /// The four hexadecimal digits of the `\u` at this place.
    private func codeUnit(_ text: borrowing Span<UInt8>, at place: Int) throws(JSONError) -> UInt16 {
        var unit: UInt16 = 0
        for index in place + 2..<place + 6 {
            guard index < text.count else { throw error(.unexpectedEnd, at: text.count) }
            guard let digit = Byte.hexValue(text[index]) else { throw error(.invalidEscape, at: place) }
            unit = unit << 4 | digit
        }
        return unit
    }

    private static func append(_ scalar: Unicode.Scalar, to bytes: inout [UInt8]) {
        bytes.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
    }
}
