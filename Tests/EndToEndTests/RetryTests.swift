import Foundation
import TestSupport
import Testing

/// Each test uses items of its own on an account that all share.
@Suite("A retry changes nothing and is answered as the first was")
struct RetryTests {
    /// What an observer would see change.
    private func state(_ id: String) throws -> String { try Shared.device().get(id).text }

    @Test("POST, the answer is lost, another device edits, POST again: the original 201, nothing changes")
    func postAgain() throws {
        let (phone, preset) = (try Shared.device(), Preset())
        let first = try phone.post(preset.json)
        let edited = preset.edited("By the tablet", minute: 5)
        #expect(try phone.put(preset.id, edited.json, [("If-Match", "\"1\"")]).status == 200)
        let again = try phone.post(preset.json)
        #expect(first.status == 201)
        #expect(again.status == 201)
        #expect(again.body == first.body)
        #expect(again.field("etag") == "\"1\"")
        #expect(again.field("location") == first.field("location"))
        #expect(try state(preset.id) == edited.json)
        #expect(try phone.get(preset.id).field("etag") == "\"2\"")
    }

    @Test("PUT, the answer is lost, another device edits with If-Match, PUT again: the original 200, nothing changes")
    func putAgain() throws {
        let (phone, preset) = (try Shared.device(), Preset())
        #expect(try phone.post(preset.json).status == 201)
        let mine = preset.edited("Mine", minute: 5)
        let first = try phone.put(preset.id, mine.json, [("If-Match", "\"1\"")])
        let theirs = preset.edited("Theirs", minute: 6)
        #expect(try phone.put(preset.id, theirs.json, [("If-Match", "\"2\"")]).status == 200)
        for fields: APIClient.Fields in [[("If-Match", "\"1\"")], []] {
            let again = try phone.put(preset.id, mine.json, fields)
            #expect(again.status == 200)
            #expect(again.body == first.body)
            #expect(again.field("etag") == "\"2\"")
        }
        #expect(try state(preset.id) == theirs.json)
        #expect(try phone.get(preset.id).field("etag") == "\"3\"")
    }

    @Test("PUT of the current document with the current If-Match is a retry, too")
    func putCurrent() throws {
        let (phone, preset) = (try Shared.device(), Preset())
        #expect(try phone.post(preset.json).status == 201)
        let answer = try phone.put(preset.id, preset.json, [("If-Match", "\"1\"")])
        #expect(answer.status == 200)
        #expect(answer.field("etag") == "\"1\"")
    }

    @Test("DELETE again gives the first answer again, with If-Match or without")
    func deleteAgain() throws {
        let (phone, preset) = (try Shared.device(), Preset())
        #expect(try phone.post(preset.json).status == 201)
        let first = try phone.delete(preset.id, [("If-Match", "\"1\"")])
        #expect(first.status == 200)
        #expect(first.field("etag") == "\"2\"")
        #expect(first.string("deleted_at").hasSuffix("Z"))
        for fields: APIClient.Fields in [[("If-Match", "\"1\"")], [], [("If-Match", "\"2\"")]] {
            let again = try phone.delete(preset.id, fields)
            #expect(again.status == 200)
            #expect(again.body == first.body)
            #expect(again.field("etag") == "\"2\"")
        }
    }

    @Test("A year offline, then POST of a deleted id: the same document is a retry, the item stays deleted")
    func sameDocumentAfterDelete() throws {
        let (phone, preset) = (try Shared.device(), Preset(modifiedAt: "2024-06-01T00:00:00Z"))
        let first = try phone.post(preset.json)
        #expect(try phone.delete(preset.id).status == 200)
        let again = try phone.post(preset.json)
        #expect(again.status == 201)
        #expect(again.body == first.body)
        #expect(try phone.get(preset.id).verdict == "404 not-found")
    }

    @Test("Going back to an old document with the current If-Match is an edit: a new version")
    func goingBack() throws {
        let (phone, preset) = (try Shared.device(), Preset())
        #expect(try phone.post(preset.json).status == 201)
        let other = preset.edited("Other", minute: 5)
        #expect(try phone.put(preset.id, other.json, [("If-Match", "\"1\"")]).status == 200)
        let back = try phone.put(preset.id, preset.json, [("If-Match", "\"2\"")])
        #expect(back.status == 200)
        #expect(back.field("etag") == "\"3\"")
        #expect(try state(preset.id) == preset.json)
        // Its retry, whose If-Match is stale by now, is answered as it was.
        let again = try phone.put(preset.id, preset.json, [("If-Match", "\"2\"")])
        #expect(again.body == back.body)
        #expect(again.field("etag") == "\"3\"")
    }

    @Test("A retry moves neither the head nor the clock of the account")
    func headStays() throws {
        let device = try Shared.newDevice()
        let preset = Preset()
        _ = try device.post(preset.json)
        let before = try device.pull()
        _ = try device.post(preset.json)
        _ = try device.put(preset.id, preset.json)
        #expect(try device.pull().body == before.body)
    }
}
