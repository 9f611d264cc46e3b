/// The result of one check.
struct Finding: Equatable, Encodable {
    enum Verdict: String, Encodable {
        case ok
        /// The server can serve, but with a problem.
        case warning
        /// The server can't serve.
        case wrong
    }

    let verdict: Verdict
    /// The subject of the check, in two or three words.
    let subject: String
    /// The result of the check.
    let detail: String
    /// The action for the operator; nil if none is needed.
    let remedy: String?

    static func ok(_ subject: String, _ detail: String) -> Finding {
        Finding(verdict: .ok, subject: subject, detail: detail, remedy: nil)
    }

    static func warning(_ subject: String, _ detail: String, _ remedy: String) -> Finding {
        Finding(verdict: .warning, subject: subject, detail: detail, remedy: remedy)
    }

    static func wrong(_ subject: String, _ detail: String, _ remedy: String?) -> Finding {
        Finding(verdict: .wrong, subject: subject, detail: detail, remedy: remedy)
    }

    /// Splits a sentence with a remedy after its last colon, the form of this program's error messages.
    static func wrong(_ subject: String, sentence: String) -> Finding {
        guard let colon = sentence.ranges(of: ": ").last else { return wrong(subject, sentence, nil) }
        return wrong(subject, String(sentence[..<colon.lowerBound]), String(sentence[colon.upperBound...]))
    }

    /// One line, and a second one with the remedy.
    var text: String {
        let width = 9
        let mark = verdict.rawValue + String(repeating: " ", count: width - verdict.rawValue.count)
        let remedy = remedy.map { String(repeating: " ", count: width) + "→ \($0)\n" } ?? ""
        return "\(mark)\(subject): \(detail)\n\(remedy)"
    }
}
