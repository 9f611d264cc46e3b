import Foundation
import TestSupport
import Testing

/// All tests share an account. Each test uses items of its own.
@Suite("A retry changes nothing and is answered as the first was", .blocking)
struct RetryTests {
    /// The state that an observer sees.
    private func state(_ id: String) throws -> String { try Shared.device().get(id).text }

    @Test("POST, the answer is lost, another device edits, POST again: the original 201, nothing changes")
    func postAgain() throws {
        let (phone, tablet, preset) = (try Shared.device(), try Shared.tablet(), Preset())
        let first = try phone.post(preset.json)
        let edited = preset.edited("By the tablet", minute: 5)
        #expect(try tablet.put(preset.id, edited.json, first.ifMatch).status == 200)
        let again = try phone.post(preset.json)
        #expect(first.status == 201)
        #expect(again.status == 201)
        #expect(again.body == first.body)
        #expect(again.version == 1)
        #expect(again.field("location") == first.field("location"))
        #expect(try state(preset.id) == edited.json)
        #expect(try phone.get(preset.id).version == 2)
    }

    @Test("PUT, the answer is lost, another device edits with If-Match, PUT again: the original 200, nothing changes")
    func putAgain() throws {
        let (phone, tablet, preset) = (try Shared.device(), try Shared.tablet(), Preset())
        let created = try phone.post(preset.json)
        let mine = preset.edited("Mine", minute: 5)
        let first = try phone.put(preset.id, mine.json, created.ifMatch)
        let theirs = preset.edited("Theirs", minute: 6)
        #expect(try tablet.put(preset.id, theirs.json, first.ifMatch).status == 200)
        for fields in [created.ifMatch, []] {
            let again = try phone.put(preset.id, mine.json, fields)
            #expect(again.status == 200)
            #expect(again.body == first.body)
            #expect(again.version == 2)
        }
        #expect(try state(preset.id) == theirs.json)
        #expect(try phone.get(preset.id).version == 3)
    }

    @Test("PUT of the current document writes nothing, unless If-Match names the version: then it is a new one, once")
    func putCurrent() throws {
        let (phone, tablet, preset) = (try Shared.device(), try Shared.tablet(), Preset())
        let created = try phone.post(preset.json)
        for fields: APIClient.Fields in [[], [("If-Match", "*")], [("If-Match", "\"9-000000000000\"")]] {
            #expect(try tablet.put(preset.id, preset.json, fields).tag == created.tag)
        }
        for _ in 0..<2 { #expect(try tablet.put(preset.id, preset.json, created.ifMatch).version == 2) }
        #expect(try phone.get(preset.id).version == 2)
    }

    @Test("Off, on and off again by one device, without If-Match, are three edits")
    func offOnOff() throws {
        let (phone, preset) = (try Shared.device(), Preset())
        let off = preset.edited("Off", minute: 5)
        #expect(try phone.post(preset.json).version == 1)
        #expect(try phone.put(preset.id, off.json).version == 2)
        #expect(try phone.put(preset.id, preset.edited("On", minute: 5).json).version == 3)
        for _ in 0..<2 { #expect(try phone.put(preset.id, off.json).version == 4) }
        #expect(try state(preset.id) == off.json)
    }

    @Test("The same document by another device is that device's edit")
    func otherDevice() throws {
        let (phone, tablet, preset) = (try Shared.device(), try Shared.tablet(), Preset())
        let created = try phone.post(preset.json)
        let mine = preset.edited("Mine", minute: 5)
        #expect(try phone.put(preset.id, mine.json, created.ifMatch).version == 2)
        #expect(try phone.put(preset.id, preset.edited("Next", minute: 6).json).version == 3)
        #expect(try tablet.put(preset.id, mine.json, created.ifMatch).verdict == "412 version-mismatch")
    }

    @Test("DELETE again gives the first answer again, with If-Match or without")
    func deleteAgain() throws {
        let (phone, preset) = (try Shared.device(), Preset())
        #expect(try phone.post(preset.json).status == 201)
        let first = try phone.delete(preset.id, phone.ifMatch(1, of: preset.id))
        #expect(first.status == 200)
        #expect(first.version == 2)
        #expect(first.string("deleted_at").hasSuffix("Z"))
        for fields: APIClient.Fields in [[("If-Match", "\"1\"")], [], [("If-Match", "\"2\"")]] {
            let again = try phone.delete(preset.id, phone.tagged(fields, of: preset.id))
            #expect(again.status == 200)
            #expect(again.body == first.body)
            #expect(again.version == 2)
        }
    }

    @Test("DELETE again after another device revived the item: a retry, as long as the first wrote nothing else to it")
    func deleteAfterRevival() throws {
        let (phone, tablet, preset) = (try Shared.device(), try Shared.tablet(), Preset())
        #expect(try phone.post(preset.json).status == 201)
        let first = try phone.delete(preset.id)
        let revived = preset.edited("Revived", minute: 5)
        #expect(try tablet.put(preset.id, revived.json, first.ifMatch).status == 200)
        #expect(try phone.delete(preset.id).body == first.body)
        #expect(try state(preset.id) == revived.json)
        #expect(try phone.put(preset.id, preset.edited("Mine", minute: 6).json).status == 200)
        #expect(try phone.delete(preset.id).version == 5)
    }

    @Test("A year offline, then POST of an id that another device deleted: a retry, the item stays deleted")
    func sameDocumentAfterDelete() throws {
        let (phone, tablet) = (try Shared.device(), try Shared.tablet())
        let preset = Preset(modifiedAt: "2024-06-01T00:00:00Z")
        let first = try phone.post(preset.json)
        #expect(try tablet.delete(preset.id).status == 200)
        let again = try phone.post(preset.json)
        #expect(again.status == 201)
        #expect(again.body == first.body)
        #expect(try phone.get(preset.id).verdict == "404 not-found")
        // The tablet's newest version is the deletion.
        #expect(try tablet.post(preset.json).verdict == "409 configuration-deleted")
    }

    @Test("Going back to an old document with the current If-Match is an edit: a new version")
    func goingBack() throws {
        let (phone, preset) = (try Shared.device(), Preset())
        #expect(try phone.post(preset.json).status == 201)
        let other = preset.edited("Other", minute: 5)
        #expect(try phone.put(preset.id, other.json, phone.ifMatch(1, of: preset.id)).status == 200)
        let back = try phone.put(preset.id, preset.json, phone.ifMatch(2, of: preset.id))
        #expect(back.status == 200)
        #expect(back.version == 3)
        #expect(try state(preset.id) == preset.json)
        // The retry gets the first answer, although its If-Match is stale by now.
        let again = try phone.put(preset.id, preset.json, phone.ifMatch(2, of: preset.id))
        #expect(again.body == back.body)
        #expect(again.version == 3)
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
