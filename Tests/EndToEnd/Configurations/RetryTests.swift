import Foundation
import TestSupport
import Testing

/// All tests share an account. Each test uses items of its own.
@Suite("Retries of writes", .blocking)
struct RetryTests {
    /// The state that an observer sees.
    private func state(_ id: String) throws -> String { try Shared.device().get(id).text }

    @Test("A repeated POST gets the original 201 and changes nothing, also after another device's edit")
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

    @Test("A repeated DELETE gets its first answer, with If-Match or without")
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

    @Test("A repeated POST of an item that was deleted meanwhile is a retry, and the item stays deleted")
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

    @Test("A retry changes neither the head nor the clock of the account")
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
