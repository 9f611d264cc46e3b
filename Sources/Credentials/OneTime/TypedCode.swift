/// A code that a person copies from an app, from a page or from paper.
package enum TypedCode {
    /// Returns the code without the gaps between its groups: spaces, hyphens and dashes of any kind, and the invisible
    /// marks that copying adds. Apps show "123 456", and phones turn a hyphen into a dash.
    package static func withoutGaps(_ typed: String) -> String {
        String(typed.unicodeScalars.filter { !isGap($0) })
    }

    private static func isGap(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .dashPunctuation, .format: true
        default: scalar.properties.isWhitespace
        }
    }
}
