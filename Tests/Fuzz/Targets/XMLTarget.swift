@testable import Storage

/// A parsed document can be written and parsed to the same document. The parser for HTTP heads accepts any lines.
enum XMLTarget {
    static func check(_ bytes: [UInt8]) throws {
        var head = HTTPHead()
        for line in bytes.split(separator: 10) { head.take(String(decoding: line, as: UTF8.self)) }
        _ = S3Refusal.error(400, bytes)
        guard let document = XMLElement(bytes) else { return }
        let text = written(document)
        try property("\(text) reads as it was written", XMLElement(Array(text.utf8)) == document)
    }

    private static func written(_ element: XMLElement) -> String {
        let content = element.children.map(written).joined() + XMLElement.escaped(element.text)
        return "<\(element.name)>\(content)</\(element.name)>"
    }
}
