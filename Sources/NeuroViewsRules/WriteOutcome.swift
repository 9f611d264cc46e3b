import NeuroViewsJSON

/// The result of one item's write (docs/client.md, "Answers to a write").
package enum WriteOutcome: Sendable, Equatable {
    /// The server has done it.
    case done(Receipt)
    /// 404: a deletion is done by that; another write is not applied.
    case missing
    /// Others deleted the item; the tag is that of the tombstone.
    case deleted(tag: String, Problem)
    /// Nothing is applied: a pull shows the reason.
    case notApplied
    /// The server will not take it, or the result stays unknown: then it is not certain.
    case refused(Problem, isCertain: Bool)

    private static let conflictStatuses: Set<Int64> = [409, 412, 424]
    static let keyReused = "idempotency-key-reused"

    /// The answer to the write of one item, after it was judged.
    package init(_ answer: Answer) {
        if let receipt = Receipt(tag: answer.tag, answer.json), answer.isSuccess {
            self = .done(receipt)
        } else {
            self.init(answer.problem, isCertain: answer.isCertain)
        }
    }

    /// One result of a batch; nil if it is not as the OpenAPI document has it.
    package init?(result: JSONValue) {
        guard let status = result["status"]?.number?.int64, (200...599).contains(status) else { return nil }
        if status == 200 || status == 201 {
            guard let receipt = Receipt(tag: Tag.checked(result["version"]?.string), result) else { return nil }
            self = .done(receipt)
        } else {
            guard status >= 400, let problem = result["problem"]?.object else { return nil }
            self.init(Problem(status: status, problem), isCertain: true)
        }
    }

    private init(_ problem: Problem, isCertain: Bool) {
        let tag = Tag.checked(problem.members["version"]?.string)
        if !isCertain {
            self = .refused(problem, isCertain: false)
        } else if problem.status == 404 {
            self = .missing
        } else if problem.status == 409, problem.code == "configuration-deleted", let tag {
            self = .deleted(tag: tag, problem)
        } else if Self.conflictStatuses.contains(problem.status) || problem.code == Self.keyReused {
            self = .notApplied
        } else {
            self = .refused(problem, isCertain: true)
        }
    }
}

/// The server's confirmation of a write.
package struct Receipt: Sendable, Equatable {
    /// The tag of the version that the write made.
    package var tag: String
    /// The document that the server made, if it is another one than was sent.
    package var configuration: Document?
    /// The values that did not win in the server's merge, each with its pointer.
    package var losers: [Loser] = []
    /// The time of the write by the server's clock.
    package var changedAt: Instant?

    /// The value of a member; without a value the member was missing.
    package struct Loser: Sendable, Equatable {
        /// The member.
        package var pointer: String
        /// The value that did not win.
        package var value: JSONValue?

        /// Takes both.
        package init(pointer: String, value: JSONValue?) { (self.pointer, self.value) = (pointer, value) }
    }

    /// A confirmation without a merge.
    package init(tag: String) { self.tag = tag }

    /// Reads an answer or a result; nil if it has no tag, or if a merge is not as the OpenAPI document has it.
    init?(tag: String?, _ json: JSONValue?) {
        guard let tag, let json else { return nil }
        self.tag = tag
        if let made = json["configuration"] {
            guard let document = Document(made) else { return nil }
            configuration = document
        }
        let time = json["updated_at"] ?? json["created_at"] ?? json["deleted_at"] ?? json["changed_at"]
        changedAt = time?.string.flatMap { Instant($0) }
        guard let conflicts = json["conflicts"] else { return }
        guard let list = conflicts.array else { return nil }
        for conflict in list {
            guard let pointer = conflict["pointer"]?.string, let winner = conflict["winner"]?.string else { return nil }
            losers.append(Loser(pointer: pointer, value: conflict[winner == "mine" ? "theirs" : "mine"]))
        }
    }
}

/// Names that go into header fields: those that could end a field are none.
enum Tag {
    private static let lengthMax = 512

    static func checked(_ text: String?) -> String? {
        guard let text, (1...lengthMax).contains(text.utf8.count) else { return nil }
        return text.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "\"") } ? text : nil
    }
}
