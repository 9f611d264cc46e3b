/// Only a message tells whether an address is one; what can't be one is refused.
enum EmailAddress {
    /// One @ with something on either side, and nothing that does not print.
    static func isPlausible(_ text: String) -> Bool {
        let parts = text.utf8.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false)
        return parts.count == 2 && parts.allSatisfy { !$0.isEmpty } && text.utf8.count <= 254
            && text.unicodeScalars.allSatisfy { !$0.properties.isWhitespace && $0.value > 32 && $0.value != 127 }
    }
}
