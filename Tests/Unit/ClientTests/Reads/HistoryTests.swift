import Foundation
import NeuroViewsJSON
import TestSupport
import Testing

@testable import NeuroViewsClient

@Suite("Reads of the server", .blocking)
struct HistoryTests {
    private let id = UUID()
    private var path: String { "/configurations/\(id.uuidString.lowercased())" }
    private let tag = VersionTag(checked: "2-60303ae22b99")

    private func document(_ name: String) -> String {
        #"{"id":"\#(id.uuidString)","name":"\#(name)","iso":4e2,"created_at":"2026-03-01T12:00:00Z"}"#
    }

    private static func entry(_ tag: String, isDeletion: Bool) -> String {
        """
        {"versions":[{"version":"\(tag)","changed_at":"2026-03-01T13:00:00Z","edited_at":"2026-03-01T13:00:00Z",\
        "device":null,"deleted":\(isDeletion),"has_document":\(!isDeletion)}],"has_more":false,"next":null}
        """
    }

    private func version(_ text: String, _ tag: String) -> TransferAnswer {
        AnswerTable.json(200, text, [("ETag", "W/\"\(tag)\"")])
    }

    @Test("A version is read by its number, and is taken if its tag is the wanted one")
    func version() async throws {
        let table = AnswerTable { [self] _ throws(TransportError) in version(document("old"), "2-60303ae22b99") }
        let client = try await Given.client(table)
        let old = try await client.version(of: id, tag)
        #expect(old.name == "old" && old["/iso"]?.number?.literal == "4e2")
        #expect(table.names == ["GET \(path)/versions/2"])
        await #expect(throws: ClientError.self) {
            try await client.version(of: id, VersionTag(checked: "2-aaaaaaaaaaaa"))
        }
        await #expect(throws: ClientError.self) { try await client.version(of: id, VersionTag(checked: "x")) }
        #expect(table.names.count == 2)
        await #expect(throws: ClientError.self) { try await client.version(of: UUID(), tag) }
    }

    @Test("A restored version is an edit of all members")
    func restore() async throws {
        let table = AnswerTable { [self] _ throws(TransportError) in version(document("old"), "2-60303ae22b99") }
        let client = try await Given.client(table)
        _ = try await client.save(CameraConfiguration(id: id, name: "new"))
        let stored = try await client.restore(id, to: tag)
        #expect(stored.configuration.name == "old" && stored.state == .unsent)
        #expect(stored.configuration["/preset"] == nil)
        #expect(try await client.configuration(id)?.configuration.name == "old")
        #expect(table.names == ["GET \(path)/versions/2"])
        let members = try await client.inside { client in
            let item = try client.openedStore().item(self.id.uuidString.lowercased())
            guard case .document(_, let noted)? = item?.edit else { return [String]() }
            return noted.all.map(\.pointer.description)
        }
        #expect(Set(members).isSuperset(of: ["/name", "/iso", "/preset", "/frame_rate"]))
    }

    @Test("A restored version of a deleted configuration replaces its tombstone")
    func restoreDeleted() async throws {
        let table = AnswerTable { [self] request throws(TransportError) in
            request.path.hasSuffix("limit=1")
                ? AnswerTable.json(200, Self.entry("3-fd61a03af4f7", isDeletion: true))
                : version(document("old"), "2-60303ae22b99")
        }
        let client = try await Given.client(table)
        let stored = try await client.restore(id, to: tag)
        #expect(stored.tag?.text == "3-fd61a03af4f7" && stored.state == .unsent)
        #expect(table.names == ["GET \(path)/versions/2", "GET \(path)/versions?limit=1"])
    }

    @Test("A configuration that exists elsewhere is restored without a tombstone")
    func restoreUnknown() async throws {
        let table = AnswerTable { [self] request throws(TransportError) in
            request.path.hasSuffix("limit=1")
                ? AnswerTable.json(200, Self.entry("3-fd61a03af4f7", isDeletion: false))
                : version(document("old"), "2-60303ae22b99")
        }
        let client = try await Given.client(table)
        #expect(try await client.restore(id, to: tag).tag == nil)
    }

    @Test("Pages are asked for with the encoded place of the one before")
    func pages() async throws {
        let table = AnswerTable { _ throws(TransportError) in
            AnswerTable.json(200, Self.entry("1-a", isDeletion: false))
        }
        let client = try await Given.client(table)
        #expect(try await client.versions(of: id).items.map(\.tag.text) == ["1-a"])
        _ = try await client.versions(of: id, before: "7")
        await #expect(throws: ClientError.self) { try await client.conflicts(of: id, before: "1.9&f") }
        #expect(
            table.names == [
                "GET \(path)/versions", "GET \(path)/versions?before=7", "GET \(path)/conflicts?before=1.9%26f",
            ]
        )
    }

    @Test("The removal of a device that is gone succeeds")
    func gone() async throws {
        let table = AnswerTable { _ throws(TransportError) in AnswerTable.problem(404, "not-found") }
        let client = try await Given.client(table)
        try await client.removeDevice("my phone/1")
        #expect(table.names == ["DELETE /devices/my%20phone%2F1"])
        await #expect(throws: ClientError.invalidArgument("The id of a device has at least one character.")) {
            try await client.removeDevice("")
        }
        table.answer { _ throws(TransportError) in AnswerTable.problem(403, "confirmation-required") }
        await #expect(throws: ClientError.confirmationRequired) { try await client.removeDevice("phone") }
    }

    @Test("A device without a name gets one, and one that people have named keeps its name")
    func deviceName() async throws {
        let time = "2026-03-01T12:00:00Z"
        let entry = #""first_seen_at":"\#(time)","last_seen_at":"\#(time)""#
        let name = Guarded("null")
        let table = AnswerTable { request throws(TransportError) in
            if request.method == "PATCH" { return AnswerTable.json(200, "{}") }
            let own = #"{"id":"a","name":\#(name.withLock { $0 }),"current":true,\#(entry)}"#
            return AnswerTable.json(200, #"{"devices":[{"id":"b","name":null,"current":false,\#(entry)},\#(own)]}"#)
        }
        let client = try await Given.client(table)
        try await client.nameDevice("studio")
        #expect(table.names == ["GET /devices", "PATCH /devices/a"])
        #expect(table.requests.last?.body == #"{"name":"studio"}"#)
        name.withLock { $0 = #""Ada's phone""# }
        try await client.nameDevice("studio")
        #expect(table.names == ["GET /devices", "PATCH /devices/a", "GET /devices"])
    }

    @Test("Deleted configurations are those of all pages, without one that was restored between two of them")
    func deleted() async throws {
        let ids = (1...4).map { "\($0)0000000-0000-4000-8000-000000000000" }
        @Sendable func page(_ documents: [String], _ deleted: [String], isLast: Bool) -> TransferAnswer {
            let versions = (documents + deleted).map { #""\#($0)":"2-aaaaaaaaaaaa""# }.joined(separator: ",")
            let found = documents.map { #"{"id":"\#($0)","name":"x","created_at":"\#(FakeConfigurations.time)"}"# }
            let gone = deleted.map { "\"\($0)\"" }
            let hash = String(repeating: "0", count: 64)
            return AnswerTable.json(
                200,
                #"{"configurations":[\#(found.joined(separator: ","))],"deleted":[\#(gone.joined(separator: ","))],"#
                    + #""versions":{\#(versions)},"sync_token":"t1","reset":\#(!isLast),"has_more":\#(!isLast),"#
                    + #""server_time":"\#(FakeConfigurations.time)","state_hash":"\#(hash)"}"#
            )
        }
        let table = AnswerTable { request throws(TransportError) in
            request.path.contains("sync_token")
                ? page([ids[1]], [ids[3]], isLast: true) : page([ids[0]], [ids[2], ids[1]], isLast: false)
        }
        let client = try await Given.client(table)
        #expect(try await client.deletedConfigurations().map(\.lower) == [ids[2], ids[3]])
        #expect(table.names == ["GET /configurations?limit=1000", "GET /configurations?sync_token=t1&limit=1000"])
    }

    @Test("An answer that is not as the interface has it is unexpected", arguments: ["{}", "[]", #"{"devices":[{}]}"#])
    func unexpected(_ text: String) async throws {
        let client = try await Given.client(AnswerTable { _ throws(TransportError) in AnswerTable.json(200, text) })
        let error = await #expect(throws: ClientError.self) { try await client.devices() }
        guard case .unexpectedAnswer? = error else { throw Program.Failure("\(String(describing: error))") }
        await #expect(throws: ClientError.self) { try await client.quotas() }
    }

    @Test("A call sends its method, body and tag, and returns the answer's JSON")
    func call() async throws {
        let table = AnswerTable { _ throws(TransportError) in AnswerTable.json(200, #"{"n":1.50}"#) }
        let client = try await Given.client(table)
        let answer = try await client.call("PATCH", "/devices/a", ["name": "b"], ifMatch: tag)
        #expect(answer.text == #"{"n":1.50}"#)
        let sent = try #require(table.requests.first)
        #expect(sent.name == "PATCH /devices/a" && sent.body == #"{"name":"b"}"#)
        #expect(sent.fields["content-type"] == "application/merge-patch+json")
        #expect(sent.fields["if-match"] == "\"2-60303ae22b99\"")
        #expect(sent.fields["authorization"] == "Bearer a.b.c")
        table.answer { _ throws(TransportError) in TransferAnswer(status: 204, fields: [], body: []) }
        #expect(try await client.call("POST", "/auth/password-reset", ["email": "a@example.org"]) == .null)
        #expect(table.requests.last?.fields["authorization"] == nil)
        #expect(table.requests.last?.fields["content-type"] == "application/json")
        await #expect(throws: ClientError.self) { try await client.call("POST", "/auth/logout") }
        #expect(table.requests.count == 2)
    }
}
