/// What the doctor says about one thing.
struct Finding: Equatable, Encodable {
    enum Verdict: String, Encodable {
        case ok
        /// It will serve, but not as it should.
        case warning
        /// It can't serve.
        case wrong
    }

    let verdict: Verdict
    /// What was looked at, in two words or three.
    let subject: String
    /// What was found.
    let detail: String
    /// What to do; nil when there is nothing.
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

    /// From a sentence that has the remedy behind its last colon, as this program's sentences do.
    static func wrong(_ subject: String, sentence: String) -> Finding {
        guard let colon = sentence.ranges(of: ": ").last else { return wrong(subject, sentence, nil) }
        return wrong(subject, String(sentence[..<colon.lowerBound]), String(sentence[colon.upperBound...]))
    }

    /// A line, and a second one with the remedy.
    var text: String {
        let width = 9
        let mark = verdict.rawValue + String(repeating: " ", count: width - verdict.rawValue.count)
        let remedy = remedy.map { String(repeating: " ", count: width) + "→ \($0)\n" } ?? ""
        return "\(mark)\(subject): \(detail)\n\(remedy)"
    }
}
