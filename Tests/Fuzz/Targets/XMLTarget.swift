@testable import Storage

/// A document that was read can be written again, and reads the same then. The head of an HTTP answer takes any lines.
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
