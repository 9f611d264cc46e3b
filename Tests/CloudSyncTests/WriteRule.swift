import CloudSync
import Testing

/// One row of sync.md's table of writes: what devices do in turn, and how each is answered.
struct WriteRule: Sendable, CustomTestStringConvertible {
    enum Write: Sendable {
        case create(Document)
        case update(Document, ifMatch: Int?)
        case delete(ifMatch: Int?)
    }

    enum Answer: Sendable, Equatable {
        /// The receipt of that version.
        case version(Int)
        case conflict(ConfigurationConflict.Reason, current: Int?)
        case notFound
    }

    let name: String
    let steps: [(write: Write, answer: Answer)]
    /// The name of the document that is there at the end; nil for none.
    let end: String?
    /// Names of the documents that must have been kept as losers.
    let losers: [String]

    var testDescription: String { name }

    static let id = "0A1B2C3D-0000-4000-8000-00000000ABCD"

    private init(_ name: String, _ steps: [(Write, Answer)], end: String?, losers: [String] = []) {
        self.name = name
        self.steps = steps
        self.end = end
        self.losers = losers
    }

    private static func create(_ name: String, edited: Int) -> Write {
        .create(Document(name, id: id, edited: edited))
    }

    private static func update(_ name: String, edited: Int, ifMatch: Int? = nil) -> Write {
        .update(Document(name, id: id, edited: edited), ifMatch: ifMatch)
    }

    private static let year2099 = 79 * 365 * 86400

    static let all = [
        WriteRule(
            "a POST whose answer was lost",
            [(create("A", edited: 1), .version(1)), (create("A", edited: 1), .version(1))],
            end: "A"
        ),
        WriteRule(
            "POST, lost answer, another device edits, POST again",
            [
                (create("A", edited: 1), .version(1)), (update("B", edited: 2), .version(2)),
                (create("A", edited: 1), .version(1)),
            ],
            end: "B"
        ),
        WriteRule(
            "PUT, lost answer, another device edits with If-Match, PUT again",
            [
                (create("A", edited: 1), .version(1)), (update("B", edited: 2, ifMatch: 1), .version(2)),
                (update("C", edited: 3, ifMatch: 2), .version(3)), (update("B", edited: 2, ifMatch: 1), .version(2)),
            ],
            end: "C"
        ),
        WriteRule(
            "POST of a known id with other content",
            [(create("A", edited: 1), .version(1)), (create("B", edited: 2), .conflict(.exists, current: 1))],
            end: "A",
            losers: ["B"]
        ),
        WriteRule(
            "PUT of what was edited before the stored one",
            [
                (create("A", edited: 9), .version(1)), (update("B", edited: 5), .conflict(.editedLater, current: 1)),
                (update("B", edited: 5), .conflict(.editedLater, current: 1)), (update("C", edited: 10), .version(2)),
            ],
            end: "C",
            losers: ["B"]
        ),
        WriteRule(
            "PUT with If-Match, edited before the stored one",
            [(create("A", edited: 9), .version(1)), (update("B", edited: 5, ifMatch: 1), .version(2))],
            end: "B"
        ),
        WriteRule(
            "PUT with If-Match of an old version",
            [
                (create("A", edited: 1), .version(1)), (update("B", edited: 2), .version(2)),
                (update("C", edited: 3, ifMatch: 1), .conflict(.versionMismatch, current: 2)),
            ],
            end: "B"
        ),
        WriteRule(
            "going back to an old document, with the current If-Match and without",
            [
                (create("A", edited: 1), .version(1)), (update("B", edited: 2), .version(2)),
                (update("A", edited: 1), .version(1)), (update("A", edited: 1, ifMatch: 2), .version(3)),
            ],
            end: "A"
        ),
        WriteRule("PUT of an unknown id", [(update("A", edited: 1), .notFound)], end: nil),
        WriteRule("DELETE of an unknown id", [(.delete(ifMatch: nil), .notFound)], end: nil),
        WriteRule(
            "DELETE, and again",
            [
                (create("A", edited: 1), .version(1)), (.delete(ifMatch: nil), .version(2)),
                (.delete(ifMatch: nil), .version(2)),
            ],
            end: nil
        ),
        WriteRule(
            "DELETE with If-Match of an old version, and of the current one",
            [
                (create("A", edited: 1), .version(1)), (update("B", edited: 2), .version(2)),
                (.delete(ifMatch: 1), .conflict(.versionMismatch, current: 2)), (.delete(ifMatch: 2), .version(3)),
            ],
            end: nil
        ),
        WriteRule(
            "a conditional DELETE again, after somebody brought the item back",
            [
                (create("A", edited: 1), .version(1)), (update("B", edited: 2), .version(2)),
                (.delete(ifMatch: 2), .version(3)), (update("C", edited: 3, ifMatch: 3), .version(4)),
                (.delete(ifMatch: 2), .version(3)), (.delete(ifMatch: 3), .conflict(.versionMismatch, current: 4)),
                (.delete(ifMatch: 1), .conflict(.versionMismatch, current: 4)),
            ],
            end: "C"
        ),
        WriteRule(
            "a DELETE again is answered by the deletion that it made; the current version is deleted anew",
            [
                (create("A", edited: 1), .version(1)), (.delete(ifMatch: 1), .version(2)),
                (update("B", edited: 3, ifMatch: 2), .version(3)), (.delete(ifMatch: 3), .version(4)),
                (update("C", edited: 4, ifMatch: 4), .version(5)), (.delete(ifMatch: 1), .version(2)),
                (.delete(ifMatch: 3), .version(4)),
                (.delete(ifMatch: 2_147_483_647), .conflict(.versionMismatch, current: 5)),
                (.delete(ifMatch: 5), .version(6)), (.delete(ifMatch: 3), .version(4)),
                (.delete(ifMatch: nil), .version(6)),
            ],
            end: nil
        ),
        WriteRule(
            "a year offline, then POST and PUT of a deleted id",
            [
                (create("A", edited: 1), .version(1)), (.delete(ifMatch: nil), .version(2)),
                (create("B", edited: 3), .conflict(.deleted, current: 2)),
                (update("C", edited: 4), .conflict(.deleted, current: 2)), (create("A", edited: 1), .version(1)),
            ],
            end: nil,
            losers: ["B", "C"]
        ),
        WriteRule(
            "back to life, with the tombstone's If-Match",
            [
                (create("A", edited: 1), .version(1)), (.delete(ifMatch: nil), .version(2)),
                (update("B", edited: 3, ifMatch: 1), .conflict(.deleted, current: 2)),
                (update("B", edited: 3, ifMatch: 2), .version(3)),
            ],
            end: "B",
            losers: ["B"]
        ),
        WriteRule(
            "a phone set to 2099 does not win for ever",
            [
                (create("A", edited: 1), .version(1)), (update("B", edited: year2099), .version(2)),
                (update("C", edited: year2099 - 86400), .version(3)),
            ],
            end: "C"
        ),
    ]
}
