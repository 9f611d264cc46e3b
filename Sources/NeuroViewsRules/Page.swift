import NeuroViewsJSON

/// One page of a pull.
package struct Page: Sendable, Equatable {
    private static let slackS: Int64 = 1

    /// The copies in their order; of several with one id the last one counts.
    package private(set) var copies: [StagedCopy] = []
    /// The cursor of the next page or pull.
    package let token: String
    /// The hash over everything; only on the last page.
    package let stateHash: StateHash?
    /// True if another page follows.
    package let hasMore: Bool
    /// True if this page begins a full set, and the pages before it go.
    package let isReset: Bool

    /// Reads an answer; nil if it is not as the OpenAPI document has it.
    package init?(_ json: JSONValue) {
        guard let token = Tag.checked(json["sync_token"]?.string), let isReset = json["reset"]?.bool,
            let time = json["server_time"]?.string.flatMap({ Instant($0) }),
            let documents = json["configurations"]?.array, let deleted = json["deleted"]?.array,
            let hasMore = (json["has_more"] ?? .bool(false)).bool
        else { return nil }
        (self.token, self.isReset, self.hasMore) = (token, isReset, hasMore)
        stateHash = json["state_hash"]?.string.flatMap { StateHash(text: $0) }
        guard hasMore || stateHash != nil else { return nil }
        let latest = time.adding(seconds: Self.slackS)
        let found = documents.map { ($0["id"]?.string, Document($0)) } + deleted.map { ($0.string, nil) }
        for (place, (spelled, document)) in found.enumerated() {
            guard let spelled, let id = ItemID.checked(spelled), place >= documents.count || document != nil,
                let tag = Tag.checked(json["versions"]?[spelled]?.string)
            else { return nil }
            copies.append(StagedCopy(id: id, copy: Copy(tag: tag, document: document), latest: latest))
        }
    }
}

/// A copy of an unfinished pull.
package struct StagedCopy: Sendable, Equatable {
    /// The item.
    package var id: String
    /// The copy.
    package var copy: Copy
    /// In a conflict the document counts no later than this, for the clock of its device may be ahead.
    package var latest: Instant?

    /// Takes the stored values.
    package init(id: String, copy: Copy, latest: Instant?) { (self.id, self.copy, self.latest) = (id, copy, latest) }
}

/// The ids of items.
package enum ItemID {
    /// The UUID in lower case; nil if the text is none.
    package static func checked(_ text: String) -> String? {
        guard text.utf8.count == 36 else { return nil }
        let isUUID = text.utf8.enumerated().allSatisfy { place, byte in
            switch place {
            case 8, 13, 18, 23: byte == UInt8(ascii: "-")
            default: (48...57).contains(byte) || (65...70).contains(byte) || (97...102).contains(byte)
            }
        }
        return isUUID ? text.lowercased() : nil
    }
}
