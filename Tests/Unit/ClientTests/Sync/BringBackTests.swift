import Foundation
import NeuroViewsJSON
import NeuroViewsRules
import TestSupport
import Testing

@testable import NeuroViewsClient

@Suite("Lost edits that come back", .blocking, .timeLimit(.minutes(Patience.minutes(1))))
struct BringBackTests {
    private let given = SyncGiven()

    /// A client with an item and an entry about it.
    private func lost(_ kind: Loss.Kind, _ pointer: String? = nil, _ value: JSON? = nil) async throws
        -> (client: NeuroViews, id: UUID, entry: LostEdit.ID)
    {
        let client = try given.client()
        let id = try await client.make("one")
        let loss = Loss(id: id.uuidString.lowercased(), reason: .conflict, kind: kind, pointer: pointer, value: value)
        _ = try await client.inside { try $0.openedStore().addLost([loss], at: .now) }
        return (client, id, try #require(try await client.lost().first).id)
    }

    private func document(_ name: String) -> JSON { Given.json(#"{"id":"x","name":"\#(name)","lens":1.50}"#) }

    @Test("A value comes back as an edit of its member, and leaves the list")
    func value() async throws {
        let (client, id, entry) = try await lost(.member, "/name", .string("two"))
        #expect(try await client.bringBack(entry) == id)
        #expect(try await client.names == ["two"])
        #expect(try await client.lost().isEmpty)
        await #expect(throws: ClientError.self) { try await client.bringBack(entry) }
    }

    @Test("A removal comes back as a removal")
    func removal() async throws {
        let (client, id, entry) = try await lost(.member, "/preset")
        #expect(try await client.configuration(id)?.configuration["/preset"] != nil)
        try await client.bringBack(entry)
        #expect(try await client.configuration(id)?.configuration["/preset"] == nil)
    }

    @Test("A value below one that has no members stays in the list")
    func obstacle() async throws {
        let (client, _, entry) = try await lost(.member, "/name/first", .string("two"))
        let invalid = InvalidEdit(pointer: "/name/first", reason: .noMembers(above: "/name"))
        await #expect(throws: ClientError.invalid(invalid)) { try await client.bringBack(entry) }
        #expect(try await client.names == ["one"])
        #expect(try await client.lost().count == 1)
    }

    @Test("A document takes the place of the one that is shown, and keeps its id")
    func document() async throws {
        let (client, id, entry) = try await lost(.document, nil, document("two"))
        #expect(try await client.bringBack(entry) == id)
        let back = try #require(try await client.configuration(id)?.configuration)
        #expect(back.name == "two" && back["/id"] == .string(id.uuidString.lowercased()))
        #expect(back["/lens"]?.number?.literal == "1.50" && back["/preset"] == nil)
    }

    @Test("A document gets a new id after a deletion")
    func documentOfDeleted() async throws {
        let (client, id, entry) = try await lost(.document, nil, document("two"))
        try await client.delete(id)
        let new = try await client.bringBack(entry)
        #expect(new != id)
        #expect(try await client.names == ["two"])
        #expect(try await client.configuration(new)?.configuration["/id"] == .string(new.uuidString.lowercased()))
    }

    @Test("A deletion comes back as a deletion")
    func deletion() async throws {
        let (client, _, entry) = try await lost(.deletion)
        try await client.bringBack(entry)
        #expect(try await client.names.isEmpty)
    }

    @Test("A value of a deleted configuration stays in the list")
    func valueOfDeleted() async throws {
        let (client, id, entry) = try await lost(.member, "/name", .string("two"))
        try await client.delete(id)
        await #expect(throws: ClientError.nothingShown(id)) { try await client.bringBack(entry) }
        #expect(try await client.lost().count == 1)
        try await client.forget(entry)
        #expect(try await client.lost().isEmpty)
    }
}
