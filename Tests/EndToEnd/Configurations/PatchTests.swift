import Foundation
import TestSupport
import Testing

@Suite("PATCH of a configuration (RFC 7396)", .blocking)
struct PatchTests {
    private static let more = #","exposure_settings":{"mode":"auto","iso":1.0e2,"shutter_speed":0.0200},"x":[1.50]"#

    private func stored(_ device: Device, _ more: String = Self.more) throws -> Preset {
        let preset = Preset(more: more)
        #expect(try device.post(preset.json).status == 201)
        return preset
    }

    @Test("PATCH sets, merges and removes members, keeps the other text, and returns the new document")
    func changes() throws {
        let device = try Shared.device()
        let preset = try stored(device)
        let patch = """
            {"name":"Dawn","exposure_settings":{"iso":2e2,"mode":null,"exposure_compensation":0.5},\
            "x_new":{"a":null,"b":1},"modified_at":"2025-07-01T00:00:00Z"}
            """
        let answer = try device.patch(preset.id, patch)
        #expect(answer.status == 200, "\(answer.text)")
        #expect(answer.version == 2)
        #expect(answer.string("updated_at").hasSuffix("Z"))
        let expected = """
            {"id":"\(preset.id)","name":"Dawn","preset":"landscape","video_format":"H.265","resolution":"4K UHD",\
            "frame_rate":60,"created_at":"2025-06-01T00:00:00Z","modified_at":"2025-07-01T00:00:00Z",\
            "exposure_settings":{"iso":2e2,"shutter_speed":0.0200,"exposure_compensation":0.5},"x":[1.50],\
            "x_new":{"b":1}}
            """
        #expect(answer.raw("configuration") == expected)
        let read = try device.get(preset.id)
        #expect(read.text == expected)
        #expect(read.version == 2)
    }

    @Test("A patch without modified_at is an edit of now")
    func editedNow() throws {
        let device = try Shared.device()
        let preset = try stored(device)
        let before = Date(timeIntervalSinceNow: -1)
        #expect(try device.patch(preset.id, #"{"name":"Dawn"}"#).status == 200)
        let time = try device.get(preset.id).string("modified_at")
        let edited = try #require(ISO8601DateFormatter().date(from: time))
        #expect(edited >= before && edited <= Date(timeIntervalSinceNow: 1))
    }

    @Test("A patch that changes nothing writes nothing", arguments: ["{}", #"{"frame_rate":6e1,"y":null}"#, "ID"])
    func nothing(patch: String) throws {
        let device = try Shared.newDevice()
        let preset = try stored(device)
        let before = try device.pull().body
        let text = patch == "ID" ? #"{"id":"\#(preset.id.lowercased())"}"# : patch
        for fields: APIClient.Fields in [[], [("If-Match", "\"1\"")]] {
            let answer = try device.patch(preset.id, text, device.tagged(fields, of: preset.id))
            #expect(answer.status == 200)
            #expect(answer.version == 1)
            #expect(answer.raw("configuration") == preset.json)
        }
        #expect(try device.pull().body == before)
    }

    @Test("PATCH with a failed If-Match or If-None-Match gets 412 with the current document")
    func conditions() throws {
        let device = try Shared.device()
        let preset = try stored(device)
        let second = preset.edited("Second", minute: 5)
        #expect(try device.put(preset.id, second.json, device.ifMatch(1, of: preset.id)).status == 200)
        let refused: [APIClient.Fields] = [
            [("If-Match", "\"1\"")], [("If-Match", "\"2147483647\"")], [("If-Match", "\"-2147483648\"")],
            [("If-Match", "W/\"1\"")], [("If-None-Match", "*")],
            [("If-None-Match", "\"2\"")], [("If-Match", "\"2\""), ("If-None-Match", "W/\"2\"")],
        ]
        for fields in refused {
            let answer = try device.patch(preset.id, #"{"name":"Third"}"#, device.tagged(fields, of: preset.id))
            Problems.check(answer, "412 version-mismatch")
            #expect(answer.raw("current") == second.json)
            #expect(answer.version == 2)
        }
        let passing: [APIClient.Fields] = [
            [("If-Match", "\"1\", \"2\"")], [("If-Match", "*")], [("If-None-Match", "\"1\"")], [],
        ]
        for (number, fields) in passing.enumerated() {
            let tagged = try device.tagged(fields, of: preset.id)
            #expect(try device.patch(preset.id, #"{"name":"Edit \#(number)"}"#, tagged).version == number + 3)
        }
    }

    @Test("PATCH of an unknown or foreign item gets 404; a deleted one takes a whole document only")
    func gone() throws {
        let device = try Shared.device()
        let preset = try stored(device)
        Problems.check(try device.patch(UUID().uuidString, #"{"name":"X"}"#), "404 not-found")
        Problems.check(try Shared.other().patch(preset.id, #"{"name":"X"}"#), "404 not-found")
        #expect(try device.delete(preset.id).status == 200)
        for fields: APIClient.Fields in [[], [("If-Match", "\"1\"")], [("If-Match", "*")]] {
            let answer = try device.patch(preset.id, #"{"name":"X"}"#, device.tagged(fields, of: preset.id))
            Problems.check(answer, "409 configuration-deleted")
            #expect(answer.raw("current") == "null")
            #expect(answer.version == 2)
        }
        let named = try device.ifMatch(2, of: preset.id)
        Problems.check(try device.patch(preset.id, #"{"name":"X"}"#, named), "422 invalid-document")
        Problems.check(try device.patch(preset.id, "null", named), "422 invalid-document")
        let back = try device.patch(preset.id, preset.edited("Back", minute: 9).json, named)
        #expect(back.version == 3)
        #expect(try device.get(preset.id).string("name") == "Back")
    }

    @Test("OPTIONS of a configuration lists PATCH and its media type")
    func options() throws {
        let answer = try Shared.client().send("OPTIONS", "/v2/configurations/\(UUID().uuidString)")
        #expect(answer.field("allow")?.contains("PATCH") == true)
        #expect(answer.field("accept-patch") == "application/merge-patch+json")
        #expect(try Shared.client().send("OPTIONS", "/v2/configurations").field("accept-patch") == nil)
    }
}
