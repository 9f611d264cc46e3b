/// Identifies a change of a collection and the history up to it: a client's cursor, and the head of a write. Opaque to
/// clients.
package struct SyncToken: Sendable, Equatable {
    /// Counts the account's changes of the collection; 0 before the first.
    let seq: Int
    let chain: ChainValue
    /// Differs after an operator has invalidated all tokens.
    let salt: Int
    /// The item that changed, a UUID in lower case, and its version; nil at seq 0.
    let item: Item?
    /// True at the end of a page within a full set. The rest of the set then needs only this token: see
    /// `DeltaRequest.named`.
    var isInFullSet = false
    /// At the end of a page: the newest change when the page was read, at most one. Without it in the history, an item may be back in a
    /// version that neither this page nor a later one has.
    var readAt: [SyncToken] = []

    struct Item: Sendable, Equatable {
        let id: String
        let version: Int
    }

    init(seq: Int, chain: ChainValue, salt: Int, item: Item?) {
        self.seq = seq
        self.chain = chain
        self.salt = salt
        self.item = item
    }

    /// Parses `text`. Nil for any other string.
    package init?(_ text: String) {
        guard let mark = text.utf8.firstIndex(of: Self.readAtMark) else {
            self.init(change: text[...])
            return
        }
        guard let head = SyncToken(change: text[text.utf8.index(after: mark)...]), !head.isInFullSet else { return nil }
        self.init(change: text[..<mark])
        readAt = [head]
    }

    private init?(change text: Substring) {
        // Splits bytes: splitting characters took 1/40 of the cost of a poll.
        let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
            .map { Substring($0) }
        guard (5...6).contains(parts.count), let seq = Self.number(parts[0]), let chain = ChainValue(parts[1]),
            parts[2].utf8.count <= 16, parts[2].utf8.allSatisfy(VersionTag.isDigit),
            let salt = UInt(parts[2], radix: 16),
            parts.count == 5 || parts[5] == Self.fullSetMark
        else { return nil }
        var item: Item?
        if seq > 0 {
            guard UUIDText.isValid(parts[3]), let version = VersionTag.number(parts[4]) else { return nil }
            item = Item(id: String(parts[3]), version: version)
        } else if !parts[3].isEmpty || !parts[4].isEmpty {
            return nil
        }
        self.init(seq: seq, chain: chain, salt: Int(bitPattern: salt), item: item)
        isInFullSet = parts.count == 6
    }

    /// The text that a client stores and sends.
    package var text: String {
        let head = readAt.first.map { String(decoding: [Self.readAtMark], as: UTF8.self) + $0.text } ?? ""
        return change + head
    }

    private var change: String {
        let salt = String(UInt(bitPattern: salt), radix: 16)
        let mark = isInFullSet ? "." + Self.fullSetMark : ""
        guard let item else { return "\(seq).\(chain.digits).\(salt)..\(mark)" }
        return "\(seq).\(chain.digits).\(salt).\(item.id).\(item.version)\(mark)"
    }

    private static let fullSetMark = "f"
    private static let readAtMark = UInt8(ascii: "~")

    private static func number(_ text: Substring) -> Int? {
        guard (1...18).contains(text.utf8.count), text.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
        return Int(text)
    }
}
