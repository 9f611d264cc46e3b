/// Finds values in JSON texts that the parser has accepted, so that stored documents can be cut out byte for byte.
public enum JSONText {
    /// The place of a direct member's value in the bytes of an object, as indices of the slice, without the white space
    /// around it. Nil when there is no such member, or the text isn't an object.
    ///
    /// Names are compared unescaped. On a text that no parser has accepted, the result
    /// is meaningless but the call is safe.
    public static func range(ofMember name: String, in text: ArraySlice<UInt8>) -> Range<Int>? {
        var scan = MemberScan(position: text.startIndex)
        scan.skipSpace(text)
        guard scan.take(Byte.openBrace, text) else { return nil }
        while true {
            scan.skipSpace(text)
            guard let nameRange = scan.value(text) else { return nil }
            scan.skipSpace(text)
            guard scan.take(Byte.colon, text) else { return nil }
            scan.skipSpace(text)
            guard let range = scan.value(text) else { return nil }
            if isName(text[nameRange], name) { return range }
            scan.skipSpace(text)
            guard scan.take(Byte.comma, text) else { return nil }
        }
    }

    /// The places of an array's elements, as indices of the slice, without the white space around them. Empty when the
    /// text isn't an array. As above, for texts that the parser has accepted.
    public static func ranges(ofElementsIn text: ArraySlice<UInt8>) -> [Range<Int>] {
        var scan = MemberScan(position: text.startIndex)
        scan.skipSpace(text)
        guard scan.take(Byte.openBracket, text) else { return [] }
        var ranges: [Range<Int>] = []
        while true {
            scan.skipSpace(text)
            guard let range = scan.value(text), !range.isEmpty else { return ranges }
            ranges.append(range)
            scan.skipSpace(text)
            guard scan.take(Byte.comma, text) else { return ranges }
        }
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
    var position: Int

    mutating func skipSpace(_ text: ArraySlice<UInt8>) {
        while position < text.endIndex, Byte.isSpace(text[position]) { position += 1 }
    }

    mutating func take(_ byte: UInt8, _ text: ArraySlice<UInt8>) -> Bool {
        guard position < text.endIndex, text[position] == byte else { return false }
        position += 1
        return true
    }

    /// Moves over one value; nil when the text ends within it.
    mutating func value(_ text: ArraySlice<UInt8>) -> Range<Int>? {
        let start = position
        var depth = 0
        while position < text.endIndex {
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

    private mutating func skipString(_ text: ArraySlice<UInt8>) -> Bool {
        position += 1
        while position < text.endIndex {
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
