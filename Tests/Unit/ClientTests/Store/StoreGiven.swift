import Foundation
import NeuroViewsCrypto
import NeuroViewsJSON
import NeuroViewsRules
import TestSupport

@testable import NeuroViewsClient

/// A store in a new folder, and short ways to write what goes into it.
struct StoreGiven {
    static let id = "6f9619ff-8b86-4d11-b42d-00c04fc964ff"
    static let otherID = "1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed"

    let folder: String
    let key = [UInt8](repeating: 7, count: 32)
    var database: String { folder + "/store/items.sqlite" }

    /// `above`: such as a small disk.
    init(above: String = Sandbox.makeFolder()) { folder = above + "/example.org/account" }

    func open(key: [UInt8]? = nil, systemID: String? = nil, place: (@Sendable () -> Void)? = nil) throws -> Store {
        try Store.open(folder: folder, key: key ?? self.key, systemID: systemID, place: place)
    }

    /// A connection beside the library's.
    func raw() throws -> SQLite { try SQLite(database) }

    static func json(_ text: String) throws -> JSON { try JSONParser.parse(Array(text.utf8), policy: .rfc8259) }

    static func document(_ text: String) throws -> Document { Document(try json(text).object ?? JSONObject()) }

    static func at(_ second: Int64) -> Instant { Instant(seconds: 1_800_000_000 + second) }

    static func members(_ times: [String: Int64]) -> Members {
        var members = Members()
        for (text, second) in times { members.note(JSONPointer(text) ?? JSONPointer(), at(second)) }
        return members
    }

    /// An item with a copy and an edit, each a document's text; an edit "deletion" is one.
    static func item(_ id: String = StoreGiven.id, copy: String? = nil, edit: String? = nil) throws -> Item {
        var item = Item(id: id)
        item.copy = try copy.map { Copy(tag: "1-a", document: try document($0)) }
        item.edit = try edit.map { $0 == "deletion" ? .deletion : .document(try document($0), members(["/name": 1])) }
        return item
    }

    static func number(_ number: Int) -> String { "00000000-0000-4000-8000-" + String(format: "%012d", number) }

    static func staged(_ id: String, _ tag: String, _ text: String?) throws -> StagedCopy {
        StagedCopy(id: id, copy: Copy(tag: tag, document: try text.map { try document($0) }), latest: nil)
    }

    /// The hash over these documents, computed anew.
    static func hash(_ documents: [String: String]) throws -> StateHash {
        var hash = StateHash()
        for (id, text) in documents { hash.change(id, from: nil, to: try document(text)) { SHA256.hash($0) } }
        return hash
    }
}
