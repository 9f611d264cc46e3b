import Foundation

/// A response of the server.
package struct HTTPAnswer: Sendable {
    /// The status code.
    package let status: Int
    /// The header fields, names in lower case.
    package let fields: [(name: String, value: String)]
    /// The content.
    package internal(set) var body: [UInt8] = []

    /// A response without content. `head` is the status line and the header fields.
    package init(head: String) {
        let lines = head.split(separator: "\r\n")
        let words = lines.first?.split(separator: " ") ?? []
        status = words.count > 1 ? Int(words[1]) ?? 0 : 0
        fields = lines.dropFirst().map { line in
            let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            let value = parts.count == 2 ? parts[1].trimmingCharacters(in: .whitespaces) : ""
            return (parts[0].lowercased(), value)
        }
    }

    /// The value of a header field; the name in lower case.
    package func field(_ name: String) -> String? { fields.first { $0.name == name }?.value }

    /// The content as text.
    package var text: String { String(decoding: body, as: UTF8.self) }

    /// The content as a JSON object; empty if it is not one.
    package var json: [String: Any] {
        (try? JSONSerialization.jsonObject(with: Data(body))) as? [String: Any] ?? [:]
    }

    /// A text member of the JSON object; empty if it is missing.
    package func string(_ name: String) -> String { json[name] as? String ?? "" }

    /// A number member of the JSON object; nil if it is missing.
    package func int(_ name: String) -> Int? { json[name] as? Int }

    /// The problem's code; empty if the response is not a problem document.
    package var problem: String {
        guard field("content-type") == "application/problem+json" else { return "" }
        return string("type").split(separator: "/").last.map(String.init) ?? ""
    }

    /// Status and problem code: `404 not-found`, `200`.
    package var verdict: String { problem.isEmpty ? "\(status)" : "\(status) \(problem)" }

    /// The text of a member, exactly as it was sent.
    package func raw(_ name: String) -> String? {
        RawJSON.member(name, of: body).map { String(decoding: $0, as: UTF8.self) }
    }

    /// The texts of an array's elements, exactly as they were sent.
    package func rawElements(_ name: String) -> [String] {
        guard let array = RawJSON.member(name, of: body) else { return [] }
        return RawJSON.elements(of: array).map { String(decoding: $0, as: UTF8.self) }
    }
}

/// Splits JSON text without changing a byte, so that tests can compare documents byte for byte.
enum RawJSON {
    /// The value of a member of the outermost object.
    static func member(_ name: String, of text: [UInt8]) -> ArraySlice<UInt8>? {
        let parts = elements(of: text[...])
        let prefix = Array("\"\(name)\":".utf8)
        return parts.first { $0.starts(with: prefix) }?.dropFirst(prefix.count)
    }

    /// The texts between the commas of an array or object.
    static func elements(of text: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
        var found: [ArraySlice<UInt8>] = []
        var depth = 0
        var isInString = false
        var isEscaped = false
        var start = text.startIndex + 1
        func isEmpty(_ end: Int) -> Bool { start >= end }
        for (index, byte) in zip(text.indices, text) {
            if isInString {
                if isEscaped {
                    isEscaped = false
                } else if byte == 92 {
                    isEscaped = true
                } else if byte == 34 {
                    isInString = false
                }
                continue
            }
            switch byte {
            case 34: isInString = true
            case 91, 123: depth += 1
            case 93, 125:
                depth -= 1
                if depth == 0 && !isEmpty(index) { found.append(text[start..<index]) }
            case 44 where depth == 1:
                found.append(text[start..<index])
                start = index + 1
            default: break
            }
        }
        return found
    }
}
