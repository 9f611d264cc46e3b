/// An XML element from S3. It has no prefixes, no attributes, and text only without children.
struct XMLElement: Equatable, Sendable {
    let name: String
    private(set) var text = ""
    private(set) var children: [XMLElement] = []

    /// Parses a document (XML 1.0 without document types) of at most 16 levels. Nil if it is not well-formed.
    init?(_ bytes: [UInt8]) {
        var scanner = XMLScanner(bytes)
        scanner.skipToElement()
        guard let root = XMLElement(&scanner, depth: 0) else { return nil }
        scanner.skipToElement()
        guard scanner.isAtEnd else { return nil }
        self = root
    }

    private init?(_ scanner: inout XMLScanner, depth: Int) {
        guard depth < 16, let tag = scanner.openingTag() else { return nil }
        name = tag.name
        if tag.isEmpty { return }
        while true {
            guard let text = scanner.text() else { return nil }
            self.text += text
            if scanner.takeClosingTag(of: tag.rawName) { break }
            guard let child = XMLElement(&scanner, depth: depth + 1) else { return nil }
            children.append(child)
        }
        if !children.isEmpty { text = "" }
    }

    /// The text of the first child with that name.
    subscript(_ name: String) -> String? { children.first { $0.name == name }?.text }

    /// The children with that name.
    func all(_ name: String) -> [XMLElement] { children.filter { $0.name == name } }
}

extension XMLElement {
    /// Escapes a text for the content of an element.
    static func escaped(_ text: String) -> String {
        var escaped = ""
        // By scalars: a Character of "&" and an accent would not equal "&".
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}
