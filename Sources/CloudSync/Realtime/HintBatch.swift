/// The kinds of change that a hint can name. A hint has no data: its reader reads the present state.
package struct HintKinds: OptionSet, Sendable, Hashable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// A session has ended.
    package static let sessions = HintKinds(rawValue: 1)
    /// A head has moved.
    package static let heads = HintKinds(rawValue: 2)
    /// A device's row has changed.
    package static let devices = HintKinds(rawValue: 4)
    /// A command was inserted, or has got its outcome.
    package static let commands = HintKinds(rawValue: 8)
    package static let all: HintKinds = [.sessions, .heads, .devices, .commands]
}

/// The hints of one notification. Its text has a word for each account: a digit for the kinds, and the 32 digits of the id. `*` means all
/// accounts and kinds. Functions of the database (`announce_ends`) write the same text.
package struct HintBatch: Sendable, Equatable {
    /// The channel of PostgreSQL's notifications.
    package static let channel = "neuroviews_accounts"
    /// So many words fit into a payload of 8,000 bytes.
    static let wordsMax = 230
    private static let everything = "*"

    /// True: every account may have changed in every way.
    package var isAll = false
    package var kinds: [AccountID: HintKinds] = [:]

    package init() {}

    /// Reads a notification. Words that this version does not know are left out.
    package init(_ text: String) {
        for word in text.split(separator: " ") {
            if word == Self.everything {
                isAll = true
            } else if let digit = word.first?.hexDigitValue, let account = AccountID(String(word.dropFirst())) {
                kinds[account, default: []].formUnion(HintKinds(rawValue: UInt8(digit)).intersection(.all))
            }
        }
    }

    package var isEmpty: Bool { !isAll && kinds.isEmpty }

    /// The payload. It has only digits, letters, blanks and the asterisk.
    package var text: String {
        if isAll { return Self.everything }
        return kinds.map { String($0.value.rawValue, radix: 16) + $0.key.digits }.joined(separator: " ")
    }
}
