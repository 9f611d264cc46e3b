import CloudSync
import Testing

/// A sequence of writes with their answers. The rules are in docs/client.md, the sequences in `WriteRule+All.swift`.
struct WriteRule: Sendable, CustomTestStringConvertible {
    enum Write: Sendable {
        case create(Document)
        case update(Document)
        case delete
    }

    /// If-Match.
    enum Condition: Sendable {
        case none
        /// `*`.
        case any
        /// A version of this history.
        case version(Int)
        /// Several versions of this history.
        case versions([Int])
        /// A version with that number of another history.
        case foreign(Int)
    }

    struct Step: Sendable {
        let write: Write
        let condition: Condition
        /// The number of the sending device.
        let device: Int
        let answer: Answer
        /// So many days pass before it.
        var days = 0
    }

    enum Answer: Sendable, Equatable {
        /// The receipt of that version.
        case version(Int)
        case conflict(WriteConflict.Reason, current: Int?)
        case notFound
    }

    let name: String
    let steps: [Step]
    /// The name of the document at the end; nil for none.
    let end: String?
    /// The names of the documents stored as losers.
    let losers: [String]

    var testDescription: String { name }

    static let id = "0A1B2C3D-0000-4000-8000-00000000ABCD"

    init(_ name: String, _ steps: [Step], end: String?, losers: [String] = []) {
        self.name = name
        self.steps = steps
        self.end = end
        self.losers = losers
    }
}

extension WriteRule.Step {
    static func create(_ name: String, edited: Int = 1, by device: Int = 1, _ answer: WriteRule.Answer) -> Self {
        Self(
            write: .create(Document(name, id: WriteRule.id, edited: edited)),
            condition: .none,
            device: device,
            answer: answer
        )
    }

    static func update(
        _ name: String,
        edited: Int = 1,
        if condition: WriteRule.Condition = .none,
        by device: Int = 1,
        _ answer: WriteRule.Answer
    ) -> Self {
        Self(
            write: .update(Document(name, id: WriteRule.id, edited: edited)),
            condition: condition,
            device: device,
            answer: answer
        )
    }

    static func delete(
        if condition: WriteRule.Condition = .none,
        by device: Int = 1,
        _ answer: WriteRule.Answer
    ) -> Self {
        Self(write: .delete, condition: condition, device: device, answer: answer)
    }

    func after(days: Int) -> Self {
        var step = self
        step.days = days
        return step
    }
}
