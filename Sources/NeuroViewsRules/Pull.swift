/// A pull under way. Its copies are staged by the caller, and outlive a pause; a new start of the app begins anew.
package struct Pull: Sendable, Equatable {
    /// True if it brings everything: what it does not list is gone.
    package private(set) var isFull: Bool
    /// The cursor of the next page, and after the last one of the next pull.
    package private(set) var token: String?
    /// The heads of the answers to writes since the last pull.
    package let seen: [String]
    /// True if any deletion was brought.
    package private(set) var bringsDeletion = false
    /// The hash over everything that the server has, after the last page.
    package private(set) var stateHash: StateHash?

    /// Begins at a stored token; without one it brings everything.
    package init(token: String?, seen: [String]) {
        (self.token, isFull) = (token, token == nil)
        self.seen = token == nil ? [] : seen
    }

    /// What follows from the answer to a page's request.
    package enum Step: Sendable, Equatable {
        /// Empty the stage if the page is a reset, stage its copies, take it; ask for the next page if there is one.
        case page(Page)
        /// 304: a complete pull that brought nothing, without a check.
        case unchanged
        /// Drop the stage and pull without a token.
        case restart
        /// Drop the stage, report it, and pause for a minute.
        case failed(Problem)
    }

    /// The step for an answer that was judged as done or refused.
    package func step(_ answer: Answer) -> Step {
        if answer.status == 304 { return .unchanged }
        if answer.isSuccess, let page = answer.json.flatMap({ Page($0) }) { return .page(page) }
        return (answer.status == 400 || answer.status == 414) && !isFull ? .restart : .failed(answer.problem)
    }

    /// Moves on by a page.
    package mutating func take(_ page: Page) {
        if page.isReset { (isFull, bringsDeletion) = (true, false) }
        if page.copies.contains(where: { $0.copy.document == nil }) { bringsDeletion = true }
        (token, stateHash) = (page.token, page.stateHash)
    }

    /// The path of the next page's request. `limit` 0: the server's own size of pages.
    package func path(limit: Int64 = 0) -> String {
        var query: [String] = []
        if let token { query.append("sync_token=" + Self.encoded(token)) }
        if !seen.isEmpty { query.append("seen=" + seen.map(Self.encoded).joined(separator: ",")) }
        if limit > 0 { query.append("limit=\(limit)") }
        return "/configurations" + (query.isEmpty ? "" : "?" + query.joined(separator: "&"))
    }

    private static func encoded(_ text: String) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case 48...57, 65...90, 97...122, UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"):
                bytes.append(byte)
            default: bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
