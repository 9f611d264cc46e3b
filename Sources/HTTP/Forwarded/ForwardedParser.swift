/// Reads the Forwarded field (RFC 7239, section 4).
struct ForwardedParser {
    private let bytes: [UInt8]
    private var index = 0

    /// The elements of the lines after the last malformed one, the nearest proxy's last. A client must not hide behind a
    /// proxy by a malformed line of its own.
    static func elements(_ headers: Headers) -> [ForwardedElement] {
        var found: [ForwardedElement] = []
        for line in headers.values("forwarded").reversed() {
            var parser = ForwardedParser(bytes: Array(line.utf8))
            guard let elements = parser.elements() else { break }
            found = elements + found
        }
        return found
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    private mutating func elements() -> [ForwardedElement]? {
        var found: [ForwardedElement] = []
        while true {
            skipBlanks()
            guard let element = element() else { return nil }
            // An empty element is no hop (RFC 9110, 5.6.1).
            if let element = element.value { found.append(element) }
            skipBlanks()
            if index == bytes.count { return found }
            guard take(UInt8(ascii: ",")) else { return nil }
        }
    }

    /// Nil when malformed; a nil value when there was nothing.
    private mutating func element() -> (value: ForwardedElement?, Void)? {
        var element = ForwardedElement()
        var seen: Set<String> = []
        while true {
            if let name = token()?.lowercased() {
                guard take(UInt8(ascii: "=")), let value = token() ?? quoted(), seen.insert(name).inserted else {
                    return nil
                }
                element.set(name, value)
            }
            guard take(UInt8(ascii: ";")) else { break }
        }
        return (seen.isEmpty ? nil : element, ())
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard index < bytes.count, bytes[index] == byte else { return false }
        index += 1
        return true
    }

    private mutating func skipBlanks() {
        while index < bytes.count, bytes[index].isBlank { index += 1 }
    }

    private mutating func token() -> String? {
        let start = index
        while index < bytes.count, bytes[index].isToken { index += 1 }
        return index > start ? String(decoding: bytes[start..<index], as: UTF8.self) : nil
    }

    private mutating func quoted() -> String? {
        guard take(UInt8(ascii: "\"")) else { return nil }
        var text: [UInt8] = []
        while index < bytes.count {
            let byte = bytes[index]
            index += 1
            if byte == UInt8(ascii: "\"") { return String(decoding: text, as: UTF8.self) }
            if byte == UInt8(ascii: "\\") {
                guard index < bytes.count else { return nil }
                text.append(bytes[index])
                index += 1
            } else {
                text.append(byte)
            }
        }
        return nil
    }
}

extension ForwardedElement {
    fileprivate mutating func set(_ name: String, _ value: String) {
        switch name {
        case "for": client = Self.node(value)
        case "proto": scheme = Self.scheme(value)
        case "host": host = Self.host(value)
        default: break
        }
    }
}
