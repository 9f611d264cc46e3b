/// The tokens of an XML document.
struct XMLScanner {
    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var isAtEnd: Bool { position == bytes.count }

    /// Skips white space, declarations and comments.
    mutating func skipToElement() {
        while true {
            while position < bytes.count, isSpace(bytes[position]) { position += 1 }
            guard skipAside() else { return }
        }
    }

    /// Reads `<name attribute="value">` or `<name/>`. Nil for anything else; the position is then undefined.
    mutating func openingTag() -> (name: String, rawName: [UInt8], isEmpty: Bool)? {
        guard take("<") else { return nil }
        let start = position
        while position < bytes.count, !isSpace(bytes[position]), bytes[position] != ">", bytes[position] != "/" {
            guard bytes[position] != "<" else { return nil }
            position += 1
        }
        let rawName = Array(bytes[start..<position])
        let local = rawName.split(separator: UInt8(ascii: ":")).last ?? []
        guard let first = local.first, isLetter(first), skipAttributes() else { return nil }
        let isEmpty = take("/")
        guard take(">") else { return nil }
        return (String(decoding: local, as: UTF8.self), rawName, isEmpty)
    }

    /// Reads everything up to the next tag and replaces entities. Nil at the end of the document and for an unknown
    /// entity.
    mutating func text() -> String? {
        var text: [UInt8] = []
        while position < bytes.count {
            if bytes[position] == "<" {
                guard skipAside() else { return String(decoding: text, as: UTF8.self) }
            } else if bytes[position] == "&" {
                guard let character = entity() else { return nil }
                text += Array(String(character).utf8)
            } else {
                text.append(bytes[position])
                position += 1
            }
        }
        return nil
    }

    mutating func takeClosingTag(of rawName: [UInt8]) -> Bool {
        let start = position
        guard take("</"), take(rawName) else { return restore(start) }
        while position < bytes.count, isSpace(bytes[position]) { position += 1 }
        return take(">") || restore(start)
    }

    private mutating func restore(_ start: Int) -> Bool {
        position = start
        return false
    }

    /// Returns false if a quoted value or the tag has no end.
    private mutating func skipAttributes() -> Bool {
        var quote: UInt8?
        while position < bytes.count {
            let byte = bytes[position]
            if let open = quote {
                if byte == open { quote = nil }
            } else if byte == "\"" || byte == "'" {
                quote = byte
            } else if byte == ">" || (byte == "/" && position + 1 < bytes.count && bytes[position + 1] == ">") {
                return true
            }
            position += 1
        }
        return false
    }

    /// Skips a comment or a processing instruction at this position. Returns false if there is none.
    private mutating func skipAside() -> Bool {
        for (opening, closing) in [("<?", "?>"), ("<!--", "-->")] where take(opening) {
            while position < bytes.count, !take(closing) { position += 1 }
            return true
        }
        return false
    }

    private mutating func entity() -> Unicode.Scalar? {
        guard let end = bytes[position...].prefix(12).firstIndex(of: UInt8(ascii: ";")) else { return nil }
        let name = String(decoding: bytes[(position + 1)..<end], as: UTF8.self)
        position = end + 1
        if let known = Self.entities[name] { return known }
        guard name.hasPrefix("#") else { return nil }
        let number = name.hasPrefix("#x") ? UInt32(name.dropFirst(2), radix: 16) : UInt32(name.dropFirst())
        return number.flatMap(Unicode.Scalar.init)
    }

    private static let entities: [String: Unicode.Scalar] = [
        "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'",
    ]

    private mutating func take(_ text: StaticString) -> Bool { take(text.withUTF8Buffer { Array($0) }) }

    private mutating func take(_ text: String) -> Bool { take(Array(text.utf8)) }

    private mutating func take(_ text: [UInt8]) -> Bool {
        guard bytes[position...].starts(with: text) else { return false }
        position += text.count
        return true
    }

    /// Accepts every non-ASCII byte, though XML allows only some of those characters here.
    private func isLetter(_ byte: UInt8) -> Bool {
        byte >= 128 || byte == "_" || (byte | 32 >= UInt8(ascii: "a") && byte | 32 <= UInt8(ascii: "z"))
    }

    private func isSpace(_ byte: UInt8) -> Bool { byte == 32 || (9...13).contains(byte) }
}

/// Bytes compared with characters.
private func == (byte: UInt8, character: Unicode.Scalar) -> Bool { UInt32(byte) == character.value }
private func != (byte: UInt8, character: Unicode.Scalar) -> Bool { UInt32(byte) != character.value }
