extension StringProtocol {
    /// The text without surrounding white space.
    package var trimmed: String {
        let start = drop(while: \.isWhitespace)
        return String(start[..<(start.lastIndex { !$0.isWhitespace }.map(start.index(after:)) ?? start.startIndex)])
    }
}
