/// A position in a list by time, as the text that clients send back: microseconds since 1970, a point, and the key that
/// orders entries of the same time.
struct TimedPosition {
    let time: Timestamp
    let key: String

    /// More digits are no time of this server.
    private static let digitsMax = 16

    init(_ time: Timestamp, _ key: String) { (self.time, self.key) = (time, key) }

    /// Parses the output of `text`, with any key. Nil for anything else.
    init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, (1...Self.digitsMax).contains(parts[0].utf8.count),
            parts[0].utf8.allSatisfy({ (48...57).contains($0) }), let microseconds = Int(parts[0])
        else { return nil }
        self.init(Timestamp(microseconds: microseconds), String(parts[1]))
    }

    var text: String { "\(time.microseconds).\(key)" }
}
