/// A close code with its text (RFC 6455, 7.4).
struct CloseReason: Equatable, Sendable {
    let code: Int
    let text: String

    init(_ code: Int, _ text: String = "") {
        self.code = code
        self.text = text
    }

    /// The connection broke; never sent.
    static let lost = CloseReason(1006)
    /// A close frame without a code; never sent.
    static let noCode = CloseReason(1005)
    static let notJSON = CloseReason(1007, "not JSON in UTF-8")
    /// Too fast for too long, or too many wrong messages.
    static let refused = CloseReason(1008, "too many or wrong messages")
    /// There is no place, no memory for messages or states, or no database.
    static let tryLater = CloseReason(1013, "try again later")
    static let tokenEnded = CloseReason(4001, "the token is no longer valid: refresh it")
    static let replaced = CloseReason(4002, "replaced by a newer socket")

    /// The server stops; the client comes back after these milliseconds.
    static func restart(pauseMs: UInt64) -> CloseReason { CloseReason(1012, String(pauseMs)) }
}
