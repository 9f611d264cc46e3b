/// How far a client has come. Opaque to clients; the epoch tells whether the counting is still the same.
public struct SyncToken: Sendable, Equatable {
    /// The account's epoch, a UUID in lower case.
    public let epoch: String
    /// The last change that the client has.
    public let seq: Int
    /// In the pages of a full set: the head when it began. Up to there the pages belong to the full set.
    public let fullSetEnd: Int?

    init(epoch: String, seq: Int, fullSetEnd: Int? = nil) {
        self.epoch = epoch
        self.seq = seq
        self.fullSetEnd = fullSetEnd
    }

    /// Parses what `text` gave. Nil for anything else.
    public init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard (2...3).contains(parts.count), UUIDText.isValid(parts[0]), let seq = Self.number(parts[1]) else {
            return nil
        }
        epoch = String(parts[0])
        self.seq = seq
        guard parts.count == 3 else {
            fullSetEnd = nil
            return
        }
        guard let end = Self.number(parts[2]) else { return nil }
        fullSetEnd = end
    }

    /// What a client keeps and sends.
    public var text: String { "\(epoch).\(seq)" + (fullSetEnd.map { ".\($0)" } ?? "") }

    /// Whether the pages after this token still belong to a full set.
    var continuesFullSet: Bool { fullSetEnd.map { seq < $0 } ?? false }

    private static func number(_ text: Substring) -> Int? {
        guard text.utf8.count <= 18, text.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
        return Int(text)
    }
}
