import NeuroViewsJSON
import NeuroViewsRules

/// Short ways to write items, documents and times.
enum Given {
    static let id = "6f9619ff-8b86-4d11-b42d-00c04fc964ff"
    static let otherID = "1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed"

    static func json(_ text: String) -> JSONValue {
        (try? JSONParser.parse(Array(text.utf8), policy: .rfc8259)) ?? .null
    }

    static func at(_ second: Int64) -> Instant { Instant(seconds: 1_800_000_000 + second) }

    static func pointer(_ text: String) -> JSONPointer { JSONPointer(text) ?? JSONPointer() }

    /// A document whose `modified_at` is that second.
    static func document(_ text: String, at second: Int64 = 0) -> Document {
        var document = Document(json(text)) ?? Document(JSONObject())
        document.put(.string(at(second).text), at: pointer("/modified_at"))
        return document
    }

    static func copy(_ tag: String, _ text: String, at second: Int64 = 0) -> Copy {
        Copy(tag: tag, document: document(text, at: second))
    }

    static func tombstone(_ tag: String) -> Copy { Copy(tag: tag, document: nil) }

    static func members(_ times: [String: Int64]) -> Members {
        var members = Members()
        for (text, second) in times { members.note(pointer(text), at(second)) }
        return members
    }

    static func edit(_ text: String, at second: Int64, _ times: [String: Int64]) -> Edit {
        .document(document(text, at: second), members(times))
    }

    static func item(_ copy: Copy? = nil, edit: Edit? = nil, part: Edit? = nil, id: String = Given.id) -> Item {
        var item = Item(id: id)
        item.copy = copy
        item.edit = edit
        item.part = part.map { Part(copy: copy, edit: $0) }
        return item
    }

    /// The item with a mark, or unsure.
    static func marked(
        _ item: Item,
        held: Bool = false,
        refused: Int64? = nil,
        waits: Bool = false,
        unsure: Bool = false
    )
        -> Item
    {
        var marked = item
        marked.isHeld = held
        marked.refusal = refused.map { Refusal(problem: Problem(status: 422), at: at($0)) }
        marked.waits = waits
        marked.isUnsure = unsure
        return marked
    }

    static func lostMember(_ pointer: String, _ value: String?) -> Loss {
        Loss(id: id, reason: .conflict, kind: .member, pointer: pointer, value: value.map { json($0) })
    }

    static func lostDocument(_ text: String, at second: Int64, _ reason: Loss.Reason) -> Loss {
        Loss(document(text, at: second), of: id, reason)
    }

    static let lostDeletion = Loss(id: id, reason: .changedElsewhere, kind: .deletion)

    static func problem(_ code: String, more: String = "") -> String {
        #"{"type":"https://example.org/v2/problems/\#(code)","title":"A title"\#(more)}"#
    }

    /// An answer of the server's: a problem from 400 on.
    static func answer(_ status: Int64, _ body: String, _ fields: [HeaderField] = []) -> Answer {
        let type = status < 400 ? "application/json" : "application/problem+json"
        return Answer(status: status, fields: [HeaderField("Content-Type", type)] + fields, body: Array(body.utf8))
    }
}
