import Foundation
import TestSupport
import Testing

@Suite("Malformed patches", .blocking)
struct BadPatchTests {
    private static let deep = String(repeating: "[", count: 63) + String(repeating: "]", count: 63)

    @Test(
        "A patch that is not strict JSON gets 400",
        arguments: [
            "{", #"{"x":{"y":1,"y":1}}"#, #"{"x":01}"#, #"{"x":1e99999999999999999999}"#, #"{"x":1e999}"#,
            #"{"x":\#(deep)}"#,
            String(repeating: "{\"a\":", count: 30_000),
        ]
    )
    func noJSON(patch: String) throws {
        let (device, preset) = (try Shared.device(), Preset())
        #expect(try device.post(preset.json).status == 201)
        Problems.check(try device.patch(preset.id, patch), "400 invalid-json")
        #expect(try device.get(preset.id).text == preset.json)
    }

    @Test(
        "A patch whose result breaks the schema gets 422 with a pointer for each violation",
        arguments: [
            (#"{"frame_rate":241}"#, ["/frame_rate maximum"]), (#"{"frame_rate":"60"}"#, ["/frame_rate type"]),
            (#"{"name":null,"preset":null}"#, ["/name required", "/preset required"]),
            (
                #"{"exposure_settings":{"iso":1e9,"mode":5}}"#,
                ["/exposure_settings/iso maximum", "/exposure_settings/mode type"]
            ),
            (#"{"exposure_settings":[]}"#, ["/exposure_settings type"]),
            (#"{"modified_at":"now"}"#, ["/modified_at format"]),
            (#"{"modified_at":null}"#, ["/modified_at required"]), (#"{"id":null}"#, ["/id required"]),
            (#"{"id":"x"}"#, ["/id format"]), ("[]", [" type"]), ("null", [" type"]), (#""x""#, [" type"]),
            ("1", [" type"]),
        ]
    )
    func invalid(patch: String, violations: [String]) throws {
        let (device, preset) = (try Shared.device(), Preset())
        #expect(try device.post(preset.json).status == 201)
        let answer = try device.patch(preset.id, patch)
        Problems.check(answer, "422 invalid-document")
        let errors = answer.json["errors"] as? [[String: Any]] ?? []
        let found = errors.map { "\($0["pointer"] as? String ?? "?") \($0["keyword"] as? String ?? "?")" }
        #expect(violations.allSatisfy(found.contains), "\(found)")
        #expect(try device.get(preset.id).text == preset.json)
    }

    @Test("A patch that is no object is refused for any item", arguments: ["[]", "null", "1", "[null,null]"])
    func noObject(patch: String) throws {
        let (device, preset) = (try Shared.device(), Preset())
        Problems.check(try device.patch(preset.id, patch), "422 invalid-document")
        #expect(try device.post(preset.json).status == 201)
        Problems.check(try device.patch(preset.id, patch, device.ifMatch(7, of: preset.id)), "422 invalid-document")
        #expect(try device.delete(preset.id).status == 200)
        Problems.check(try device.patch(preset.id, patch), "422 invalid-document")
    }

    @Test("A patch of the id gets 422, also with the id of an existing item")
    func otherID() throws {
        let (device, preset, other) = (try Shared.device(), Preset(), Preset())
        for preset in [preset, other] { #expect(try device.post(preset.json).status == 201) }
        Problems.check(try device.patch(preset.id, #"{"id":"\#(other.id)"}"#), "422 id-mismatch")
        Problems.check(try device.patch(preset.id, #"{"id":"\#(UUID().uuidString)","name":"X"}"#), "422 id-mismatch")
        for preset in [preset, other] { #expect(try device.get(preset.id).text == preset.json) }
    }

    @Test(
        "A patch of another media type gets 415 with the accepted one",
        arguments: [
            "application/json", "application/json-patch+json", "application/merge-patch",
            "application/merge-patch+json, application/json",
        ]
    )
    func mediaType(type: String) throws {
        let (device, preset) = (try Shared.device(), Preset())
        #expect(try device.post(preset.json).status == 201)
        let answer = try device.patch(preset.id, #"{"name":"X"}"#, [("Content-Type", type)])
        Problems.check(answer, "415 unsupported-media-type")
        #expect(answer.field("accept-patch") == "application/merge-patch+json")
        #expect(try device.get(preset.id).text == preset.json)
    }

    @Test("A patch is accepted with any spelling of its media type, and with parameters")
    func mediaTypes() throws {
        let (device, preset) = (try Shared.device(), Preset())
        #expect(try device.post(preset.json).status == 201)
        for type in ["Application/Merge-Patch+JSON", "application/merge-patch+json; charset=utf-8"] {
            #expect(try device.patch(preset.id, #"{"name":"\#(type)"}"#, [("Content-Type", type)]).status == 200)
        }
    }

    @Test("A patch with a too large body or a too large result is refused")
    func tooLarge() throws {
        let (device, preset) = (try Shared.device(), Preset())
        #expect(try device.post(preset.json).status == 201)
        let limit = 1 << 20
        let body = #"{"x":"\#(String(repeating: "x", count: limit + 4096))"}"#
        Problems.check(try device.patch(preset.id, body), "413 body-too-large")
        let half = String(repeating: "x", count: limit * 6 / 10)
        #expect(try device.patch(preset.id, #"{"x":"\#(half)"}"#).status == 200)
        Problems.check(try device.patch(preset.id, #"{"y":"\#(half)"}"#), "413 body-too-large")
        let read = try device.get(preset.id)
        #expect(read.version == 2)
        // A PUT can send the result of every accepted patch, in size and in depth.
        let rest = limit - read.body.count - #","y":"""#.utf8.count
        #expect(try device.patch(preset.id, #"{"y":"\#(String(repeating: "y", count: rest + 1))"}"#).status == 413)
        let full = String(repeating: "y", count: rest - 1)
        #expect(try device.patch(preset.id, #"{"y":"\#(full)"}"#).status == 200)
        let document = try device.get(preset.id).text
        let time = try #require(EditedTime.replaced(in: document))
        #expect(try device.put(preset.id, time, device.ifMatch(3, of: preset.id)).status == 200)
    }

    @Test("The deepest accepted patch makes a document that can be sent by PUT")
    func depth() throws {
        let (device, preset) = (try Shared.device(), Preset())
        #expect(try device.post(preset.json).status == 201)
        #expect(try device.patch(preset.id, #"{"x":\#(Self.deep.dropFirst().dropLast())}"#).status == 200)
        let document = try #require(EditedTime.replaced(in: device.get(preset.id).text))
        #expect(try device.put(preset.id, document, device.ifMatch(2, of: preset.id)).status == 200)
    }

    @Test("Numbers of any size pass a patch unchanged and quickly")
    func numbers() throws {
        let (device, preset) = (try Shared.device(), Preset())
        #expect(try device.post(preset.json).status == 201)
        for number in ["9007199254740993", "1e-999999999", "-0.0", "1" + String(repeating: "0", count: 300)] {
            #expect(try device.patch(preset.id, #"{"x":\#(number)}"#).status == 200)
            #expect(try device.get(preset.id).raw("x") == number)
        }
    }
}

/// An edit that changes only a document's time. The length stays the same.
private enum EditedTime {
    static func replaced(in document: String) -> String? {
        let edited = document.replacing(/"modified_at":"[^"]*"/, with: #""modified_at":"2025-01-01T00:00:00Z""#)
        return edited == document ? nil : edited
    }
}
