/// A JSON object for comparing its members byte for byte.
package struct RawObject {
    private let text: [UInt8]

    /// Uses the object's text.
    package init(_ text: String) { self.text = Array(text.utf8) }

    /// The text of a member; empty if it is missing.
    package func raw(_ name: String) -> String {
        RawJSON.member(name, of: text).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    /// The texts of an array's elements.
    package func elements(_ name: String) -> [String] {
        guard let array = RawJSON.member(name, of: text) else { return [] }
        return RawJSON.elements(of: array).map { String(decoding: $0, as: UTF8.self) }
    }
}
