/// Finds values in JSON texts that the parser has accepted, so that stored documents can be cut out byte for byte.
public enum JSONText {
    /// The place of a direct member's value in the bytes of an object, as indices of the slice, without the white space
    /// around it. Nil when there is no such member, or the text isn't an object.
    ///
    /// Names are compared unescaped. On a text that no parser has accepted, the result
    /// is meaningless but the call is safe.
    public static func range(ofMember name: String, in text: ArraySlice<UInt8>) -> Range<Int>? {
        let bytes = text.span
        var scan = MemberScan()
        scan.skipSpace(bytes)
        guard scan.take(Byte.openBrace, bytes) else { return nil }
        while true {
            scan.skipSpace(bytes)
            guard let nameRange = scan.value(bytes) else { return nil }
            scan.skipSpace(bytes)
            guard scan.take(Byte.colon, bytes) else { return nil }
            scan.skipSpace(bytes)
            guard let range = scan.value(bytes) else { return nil }
            if isName(text[indices(nameRange, of: text)], name) { return indices(range, of: text) }
            scan.skipSpace(bytes)
            guard scan.take(Byte.comma, bytes) else { return nil }
        }
    }

    /// The places of an array's elements, as indices of the slice, without the white space around them. Empty when the
    /// text isn't an array. As above, for texts that the parser has accepted.
    public static func ranges(ofElementsIn text: ArraySlice<UInt8>) -> [Range<Int>] {
        let bytes = text.span
        var scan = MemberScan()
        scan.skipSpace(bytes)
        guard scan.take(Byte.openBracket, bytes) else { return [] }
        var ranges: [Range<Int>] = []
        while true {
            scan.skipSpace(bytes)
            guard let range = scan.value(bytes), !range.isEmpty else { return ranges }
            ranges.append(indices(range, of: text))
            scan.skipSpace(bytes)
            guard scan.take(Byte.comma, bytes) else { return ranges }
        }
    }

    /// The indices of a slice, which need not begin at 0, for places in its bytes.
    private static func indices(_ places: Range<Int>, of text: ArraySlice<UInt8>) -> Range<Int> {
        text.startIndex + places.lowerBound..<text.startIndex + places.upperBound
    }

    /// Returns true if the string literal spells the name; only a literal with escapes is decoded.
    private static func isName(_ literal: ArraySlice<UInt8>, _ name: String) -> Bool {
        guard literal.contains(Byte.backslash) else {
            return literal.dropFirst().dropLast().elementsEqual(name.utf8)
        }
        guard let decoded = try? JSONParser.parse(literal, policy: .rfc8259).string else { return false }
        return decoded.hasSameBytes(as: name)
    }
}

/// A position that moves over values without parsing them.
private struct MemberScan {
    var position = 0

    mutating func skipSpace(_ text: borrowing Span<UInt8>) {
        while position < text.count, Byte.isSpace(text[position]) { position += 1 }
    }

    mutating func take(_ byte: UInt8, _ text: borrowing Span<UInt8>) -> Bool {
        guard position < text.count, text[position] == byte else { return false }
        position += 1
        return true
    }

    /// Moves over one value; nil when the text ends within it.
    mutating func value(_ text: borrowing Span<UInt8>) -> Range<Int>? {
        let start = position
        var depth = 0
        while position < text.count {
            switch text[position] {
            case Byte.quote:
                guard skipString(text) else { return nil }
                if depth == 0 { return start..<position }
            case Byte.openBrace, Byte.openBracket:
                depth += 1
                position += 1
            case Byte.closeBrace, Byte.closeBracket:
                if depth == 0 { return start..<position }
                depth -= 1
                position += 1
                if depth == 0 { return start..<position }
            case Byte.comma, Byte.space, Byte.tab, Byte.newline, Byte.carriageReturn:
                if depth == 0 { return start..<position }
                position += 1
            default: position += 1
            }
        }
        return depth == 0 && position > start ? start..<position : nil
    }

    private mutating func skipString(_ text: borrowing Span<UInt8>) -> Bool {
        position += 1
        while position < text.count {
            switch text[position] {
            case Byte.quote:
                position += 1
                return true
            case Byte.backslash: position += 2
            default: position += 1
            }
        }
        return false
    }
}
