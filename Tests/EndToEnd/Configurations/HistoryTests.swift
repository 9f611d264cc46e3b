import Foundation
import TestSupport
import Testing

/// All tests share an account. Each test uses items of its own.
@Suite("The history of a configuration", .blocking)
struct HistoryTests {
    /// The versions of a new preset; the last one is current.
    static func preset(versions count: Int, by phone: Device) throws -> [Preset] {
        var presets = [Preset("Version 1")]
        var answer = try phone.post(presets[0].json)
        #expect(answer.status == 201)
        for number in 2..<(count + 1) {
            presets.append(presets[0].edited("Version \(number)", minute: number))
            answer = try phone.put(presets[0].id, presets[number - 1].json, answer.ifMatch)
            #expect(answer.version == number)
        }
        return presets
    }

    /// Empties the document of a version, as retention does.
    static func prune(_ version: Int, of id: String) throws {
        try Shared.server.get().sql(
            "UPDATE configuration_versions SET document = NULL WHERE id = '\(id)' AND version = \(version)"
        )
    }

    @Test("Versions of a configuration are listed newest first with device and time, also after a deletion")
    func versions() throws {
        let (phone, tablet, preset) = (try Shared.device(), try Shared.tablet(), Preset())
        #expect(try phone.post(preset.json).status == 201)
        let edited = preset.edited("By the tablet", minute: 5)
        let updated = try tablet.put(preset.id, edited.json)
        let deleted = try phone.delete(preset.id)
        for id in [preset.id, preset.id.lowercased()] {
            let answer = try tablet.versions(id)
            #expect(answer.status == 200)
            #expect(answer.numbers("version", of: "versions") == [3, 2, 1])
            #expect(answer.members("deleted", of: "versions") == [true, false, false])
            #expect(answer.members("has_document", of: "versions") == [false, true, true])
            let changed: [String] = answer.members("changed_at", of: "versions")
            #expect(changed.prefix(2) == [deleted.string("deleted_at"), updated.string("updated_at")])
            let times: [String] = answer.members("edited_at", of: "versions")
            #expect(times == [changed[0], "2025-06-01T00:05:00Z", "2025-06-01T00:00:00Z"])
            let devices: [[String: Any]] = answer.members("device", of: "versions")
            #expect(devices.map { $0["id"] as? String } == ["phone", "tablet", "phone"])
            #expect(devices.map { $0["name"] as? String } == ["phone", "tablet", "phone"])
            #expect(answer.json["has_more"] as? Bool == false)
            #expect(answer.raw("next") == "null")
        }
    }

    @Test("An old version is read byte for byte with its own entity tag, also after a deletion")
    func documents() throws {
        let phone = try Shared.device()
        let presets = try Self.preset(versions: 3, by: phone)
        #expect(try phone.delete(presets[0].id).status == 200)
        for (index, preset) in presets.enumerated() {
            let answer = try phone.version(index + 1, of: preset.id)
            #expect(answer.text == preset.json)
            #expect(answer.version == index + 1)
            #expect(try phone.version(index + 1, of: preset.id, [("If-None-Match", "\"\(answer.tag)\"")]).status == 304)
        }
        Problems.check(try phone.version(4, of: presets[0].id), "410 version-is-deletion")
        Problems.check(try phone.version(5, of: presets[0].id), "404 not-found")
        Problems.check(try phone.version(1, of: Preset().id), "404 not-found")
        Problems.check(try phone.versions(Preset().id), "404 not-found")
    }

    @Test("A long history is returned in pages, each version once, during concurrent writes")
    func pages() throws {
        let phone = try Shared.device()
        let presets = try Self.preset(versions: 7, by: phone)
        let id = presets[0].id
        var seen: [Int] = []
        var query = "limit=2"
        for number in 8...20 {
            let page = try phone.versions(id, query)
            let versions = page.numbers("version", of: "versions")
            #expect(versions.count <= 2)
            seen += versions
            #expect(try phone.put(id, presets[0].edited("Version \(number)", minute: number).json).status == 200)
            guard page.json["has_more"] as? Bool == true else { break }
            query = "limit=2&before=\(try #require(page.json["next"] as? Int))"
        }
        #expect(seen == [7, 6, 5, 4, 3, 2, 1])
        #expect(try phone.versions(id, "before=1").numbers("version", of: "versions") == [Int]())
        #expect(try phone.versions(id, "before=3").numbers("version", of: "versions") == [2, 1])
        #expect(try phone.versions(id, "limit=5000&before=2147483646").objects("versions").count == 11)
    }

    @Test("A pruned version gets 410, and is listed without its document but with its digest")
    func pruned() throws {
        let phone = try Shared.device()
        let presets = try Self.preset(versions: 3, by: phone)
        try Self.prune(2, of: presets[0].id)
        Problems.check(try phone.version(2, of: presets[0].id), "410 version-pruned")
        let versions = try phone.versions(presets[0].id)
        #expect(versions.members("has_document", of: "versions") == [true, false, true])
        #expect(versions.members("deleted", of: "versions") == [false, false, false])
        let retry = try phone.put(presets[0].id, presets[1].json, phone.ifMatch(1, of: presets[0].id))
        #expect(retry.version == 2)
        #expect(try phone.get(presets[0].id).text == presets[2].json)
    }

    @Test(
        "A malformed limit, cursor or version is refused",
        arguments: [
            "versions?limit=0", "versions?limit=-1", "versions?limit=x", "versions?limit=", "versions?before=0",
            "versions?before=x", "versions?before=-1", "versions?before=2147483647", "versions?before=",
            "versions?limit=1&limit=2", "versions?before=1&before=2", "versions/0", "versions/-1", "versions/x",
            "versions/2147483648", "versions/1.0", "versions/1-00000000000", "versions/1-00000000000G",
            "versions/%31%20", "conflicts?limit=0", "conflicts?before=x",
            "conflicts?before=1.00", "conflicts?before=12345678901234567.\(String(repeating: "0", count: 64))",
            "conflicts?before=-1.\(String(repeating: "0", count: 64))",
        ]
    )
    func malformed(target: String) throws {
        let (phone, preset) = (try Shared.device(), Preset())
        #expect(try phone.post(preset.json).status == 201)
        Problems.check(try phone.send("GET", "/v2/configurations/\(preset.id)/\(target)"), "400 invalid-parameter")
    }

    @Test("Versions of a session without a device name none, and a removed device loses its name")
    func devices() throws {
        let device = try Shared.newDevice()
        let preset = Preset()
        #expect(try device.post(preset.json).status == 201)
        #expect(try device.versions(preset.id).text.contains(#""device":{"id":"phone","name":null}"#))
        try Shared.server.get().sql("UPDATE sessions SET device_id = NULL WHERE id = '\(device.sessionID)'")
        #expect(try device.put(preset.id, preset.edited("Other", minute: 5).json).status == 200)
        #expect(try device.versions(preset.id, "limit=1").text.contains(#""device":null"#))
    }
}
