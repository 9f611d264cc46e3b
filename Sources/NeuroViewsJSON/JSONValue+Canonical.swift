extension JSONValue {
    /// The one text that all equal values share and no other value has, for digests and comparisons.
    ///
    /// It follows RFC 8785 (no white space, members sorted by the UTF-16 code units of their names, minimal escapes),
    /// except that numbers keep all their digits: 2^53 and 2^53+1 differ, while 1, 1.0 and 10e-1 are all `1`. Numbers
    /// have the layout of RFC 8785. So the result equals that of RFC 8785 for numbers of up to 15 significant digits
    /// within the range of a double: see `ExactDecimal.appendCanonical`.
    public func canonical() -> [UInt8] {
        var bytes: [UInt8] = []
        appendCanonical(to: &bytes)
        return bytes
    }

    private func appendCanonical(to bytes: inout [UInt8]) {
        switch self {
        case .null: bytes.append(contentsOf: "null".utf8)
        case .bool(let value): bytes.append(contentsOf: value ? "true".utf8 : "false".utf8)
        case .number(let number): number.decimal.appendCanonical(to: &bytes)
        case .string(let string): JSONEscaping.appendQuoted(string, to: &bytes)
        case .array(let items): Self.appendCanonical(items, to: &bytes)
        case .object(let object): Self.appendCanonical(object, to: &bytes)
        }
    }

    private static func appendCanonical(_ items: [JSONValue], to bytes: inout [UInt8]) {
        bytes.append(Byte.openBracket)
        for (position, item) in items.enumerated() {
            if position > 0 { bytes.append(Byte.comma) }
            item.appendCanonical(to: &bytes)
        }
        bytes.append(Byte.closeBracket)
    }

    private static func appendCanonical(_ object: JSONObject, to bytes: inout [UInt8]) {
        let sorted = object.members.sorted { $0.name.precedesInUTF16($1.name) }
        bytes.append(Byte.openBrace)
        for (position, member) in sorted.enumerated() {
            if position > 0 { bytes.append(Byte.comma) }
            JSONEscaping.appendQuoted(member.name, to: &bytes)
            bytes.append(Byte.colon)
            member.value.appendCanonical(to: &bytes)
        }
        bytes.append(Byte.closeBrace)
    }
}

extension String {
    /// The order of UTF-16 code units, determined from the UTF-8 bytes.
    ///
    /// Both orders agree except that in UTF-16 the surrogates of U+10000 and above (first byte F0 to F4) come before
    /// U+E000 to U+FFFF (first byte EE or EF).
    fileprivate func precedesInUTF16(_ other: String) -> Bool {
        withBytes { left in
            other.withBytes { right in
                for index in 0..<min(left.count, right.count) where left[index] != right[index] {
                    let (ours, theirs) = (left[index], right[index])
                    if ours >= 0xEE, theirs >= 0xEE, (ours >= 0xF0) != (theirs >= 0xF0) { return ours >= 0xF0 }
                    return ours < theirs
                }
                return left.count < right.count
            }
        }
    }
}
