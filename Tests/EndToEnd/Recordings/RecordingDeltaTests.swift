import Foundation
import TestSupport
import Testing

@Suite("Changes of recordings", .blocking)
struct RecordingDeltaTests {
    private func pull(_ device: Device, _ token: String, _ more: String = "") throws -> HTTPAnswer {
        try device.recordings("sync_token=\(token)\(more)")
    }

    @Test("An empty token returns all recordings, and later pulls each change once with tombstones")
    func changes() throws {
        let device = try Shared.newDevice()
        let empty = try pull(device, "")
        #expect(empty.rawElements("recordings").isEmpty && empty.rawElements("deleted").isEmpty)
        #expect(empty.json["reset"] as? Bool == false)

        let id = try device.addRecording()
        let added = try pull(device, empty.string("sync_token"))
        #expect(added.rawElements("recordings") == [try device.recording(id).text])
        #expect(added.versionNumbers == [id: 1])
        #expect(try pull(device, "").rawElements("recordings") == added.rawElements("recordings"))

        #expect(try device.patchRecording(id, #"{"filename":"B.mov"}"#).version == 2)
        let patched = try pull(device, added.string("sync_token"))
        #expect(patched.rawElements("recordings") == [try device.recording(id).text])

        let upload = UUID().uuidString
        #expect(try device.openUpload(upload).status == 200)
        #expect(try pull(device, patched.string("sync_token")).rawElements("versions").isEmpty)
        let cancelled = try device.deleteRecording(upload)
        #expect(cancelled.status == 200 && cancelled.version == 1)
        #expect(try device.deleteRecording(id).version == 3)
        let deleted = try pull(device, patched.string("sync_token"))
        #expect(deleted.rawElements("recordings").isEmpty)
        #expect(deleted.rawElements("deleted") == ["\"\(upload)\"", "\"\(id)\""])
        #expect(try pull(device, "").rawElements("deleted") == deleted.rawElements("deleted"))
        // Configurations have a history of their own.
        #expect(try device.pull().rawElements("versions").isEmpty)
    }

    @Test("The pages of recordings' changes together are all changes")
    func pages() throws {
        let device = try Shared.newDevice()
        let ids = try (0..<5).map { _ in try device.addRecording() }
        #expect(try device.deleteRecording(ids[1]).status == 200)
        var (token, documents, deleted): (String, [String], [String]) = ("", [], [])
        var more = true
        while more {
            let page = try pull(device, token, "&limit=2")
            #expect(page.status == 200)
            #expect(page.rawElements("versions").count <= 2)
            documents += page.rawElements("recordings")
            deleted += page.rawElements("deleted")
            token = page.string("sync_token")
            more = page.json["has_more"] as? Bool == true
        }
        let all = try pull(device, "")
        #expect(documents == all.rawElements("recordings"))
        #expect(documents.count == 4)
        #expect(deleted == ["\"\(ids[1])\""])
        #expect(token == all.string("sync_token"))
    }

    @Test("A poll of recordings without changes gets 304")
    func unchanged() throws {
        let device = try Shared.newDevice()
        try device.addRecording()
        let token = try pull(device, "").string("sync_token")
        let first = try pull(device, token)
        let tag = try #require(first.field("etag"))
        #expect(try device.recordings("sync_token=\(token)", [("If-None-Match", tag)]).status == 304)
        try device.addRecording()
        #expect(try device.recordings("sync_token=\(token)", [("If-None-Match", tag)]).status == 200)
    }

    @Test("An unknown token or a lost write in seen gets a full set of recordings with reset")
    func resets() throws {
        let (device, other) = (try Shared.newDevice(), try Shared.newDevice())
        let id = try device.addRecording()
        let pulled = try pull(device, "")
        let head = try #require(try device.patchRecording(id, #"{"filename":"B.mov"}"#).field("sync-head"))
        let next = try pull(device, pulled.string("sync_token"), "&seen=\(head)")
        #expect(next.json["reset"] as? Bool == false)
        #expect(next.versionNumbers == [id: 2])
        let foreign = try #require(
            try other.patchRecording(try other.addRecording(), #"{"filename":"B.mov"}"#).field("sync-head")
        )
        for query in ["sync_token=x", "sync_token=\(pulled.string("sync_token"))&seen=\(foreign)"] {
            let answer = try device.recordings(query)
            #expect(answer.json["reset"] as? Bool == true, "\(query)")
            #expect(answer.versionNumbers == [id: 2], "\(query)")
        }
    }

    @Test("admin reset-clients causes a full set of recordings with reset")
    func resetClients() throws {
        let (server, device) = (try Shared.server.get(), try Shared.newDevice())
        let id = try device.addRecording()
        let token = try pull(device, "").string("sync_token")
        try Operator.succeed(["admin", "reset-clients", "--data", server.data, "--account", device.email])
        let answer = try pull(device, token)
        #expect(answer.json["reset"] as? Bool == true)
        #expect(answer.versionNumbers == [id: 1])
        #expect(try pull(device, answer.string("sync_token")).json["reset"] as? Bool == false)
    }
}
