/// A change of a collection, by the history that it ends: how far a client has come, and the head of a write. Opaque to clients.
public struct SyncToken: Sendable, Equatable {
    /// Counts the account's changes of the collection; 0 before the first.
    let seq: Int
    let chain: ChainValue
    /// Changes when an operator ends all tokens.
    let salt: Int
    /// The item that changed, a UUID in lower case, and its version; nil at seq 0.
    let item: Item?
    /// Whether it is a page's end within a full set: the rest of the set needs no other proof of what the client has.
    var isInFullSet = false

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

    /// Parses what `text` gave. Nil for anything else.
    public init?(_ text: String) {
        // By bytes: by characters it was a fortieth of what a poll costs.
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

    /// What a client keeps and sends.
    public var text: String {
        let salt = String(UInt(bitPattern: salt), radix: 16)
        let mark = isInFullSet ? "." + Self.fullSetMark : ""
        guard let item else { return "\(seq).\(chain.digits).\(salt)..\(mark)" }
        return "\(seq).\(chain.digits).\(salt).\(item.id).\(item.version)\(mark)"
    }

    private static let fullSetMark = "f"

    private static func number(_ text: Substring) -> Int? {
        guard (1...18).contains(text.utf8.count), text.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
        return Int(text)
    }
}
