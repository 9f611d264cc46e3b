import Foundation
import TestSupport
import Testing

@Suite("The list of conflicts", .blocking)
struct ConflictListTests {
    @Test("The list of conflicts has each losing document once, newest first, with winner and sender")
    func listed() throws {
        let (phone, tablet, preset) = (try Shared.device(), try Shared.tablet(), Preset(minute: 60))
        #expect(try phone.post(preset.json).status == 201)
        #expect(try phone.conflicts(preset.id).text == #"{"conflicts":[],"has_more":false,"next":null}"#)
        let early = preset.edited("Early", minute: 5)
        let other = preset.edited("Other", minute: 70)
        for _ in 0..<2 { #expect(try tablet.put(preset.id, early.json).verdict == "409 edited-later") }
        #expect(try phone.post(other.json).verdict == "409 configuration-exists")
        #expect(try phone.delete(preset.id).status == 200)
        let answer = try phone.conflicts(preset.id.lowercased())
        let lost = answer.rawElements("conflicts")
        #expect(lost.count == 2)
        #expect(lost[0].hasSuffix("\"document\":\(other.json)}"))
        #expect(lost[1].hasSuffix("\"document\":\(early.json)}"))
        #expect(answer.numbers("base_version", of: "conflicts") == [1, 1])
        #expect(answer.members("edited_at", of: "conflicts") == ["2025-06-01T01:10:00Z", "2025-06-01T00:05:00Z"])
        let devices: [[String: String]] = answer.members("device", of: "conflicts")
        #expect(devices == [["id": "phone", "name": "phone"], ["id": "tablet", "name": "tablet"]])
        Problems.check(try phone.conflicts(Preset().id), "404 not-found")
    }

    @Test("A losing document that is written later leaves the list of conflicts")
    func resolved() throws {
        let (phone, preset) = (try Shared.device(), Preset(minute: 60))
        #expect(try phone.post(preset.json).status == 201)
        let early = preset.edited("Early", minute: 5)
        #expect(try phone.put(preset.id, early.json).status == 409)
        #expect(try phone.conflicts(preset.id).objects("conflicts").count == 1)
        #expect(try phone.put(preset.id, early.json, phone.ifMatch(1, of: preset.id)).status == 200)
        #expect(try phone.conflicts(preset.id).objects("conflicts").count == 0)
    }

    @Test("A conflict is deleted by its digest; an unknown digest gets 404, a malformed one 400")
    func deleted() throws {
        let (phone, preset) = (try Shared.device(), Preset(minute: 60))
        #expect(try phone.post(preset.json).status == 201)
        for minute in 0..<2 {
            #expect(try phone.put(preset.id, preset.edited("Lost", minute: minute).json).status == 409)
        }
        let digests: [String] = try phone.conflicts(preset.id).members("digest", of: "conflicts")
        let target = "/v2/configurations/\(preset.id)/conflicts/"
        Problems.check(try Shared.other().send("DELETE", target + digests[0]), "404 not-found")
        #expect(try phone.send("DELETE", target + digests[0].uppercased()).status == 204)
        Problems.check(try phone.send("DELETE", target + digests[0]), "404 not-found")
        #expect(try phone.conflicts(preset.id).members("digest", of: "conflicts") == [digests[1]])
        for digest in ["x", String(digests[1].dropLast()), digests[1] + "0", "g" + digests[1].dropFirst()] {
            Problems.check(try phone.send("DELETE", target + digest), "400 invalid-parameter")
        }
    }

    @Test("Many conflicts, and large ones, are returned in pages")
    func pages() throws {
        let (phone, preset) = (try Shared.device(), Preset(minute: 60))
        #expect(try phone.post(preset.json).status == 201)
        let large = String(repeating: "x", count: 900_000)
        let sizes = [0, 1, 2, 3, 4, 5, 6, 7].map { $0 < 2 ? "" : #","note":"\#(large)\#($0)""# }
        for (minute, more) in sizes.enumerated() {
            var lost = preset.edited("Lost \(minute)", minute: minute)
            lost.more = more
            #expect(try phone.put(preset.id, lost.json).verdict == "409 edited-later")
        }
        let all = try pages(phone, preset.id, "limit=1")
        #expect(all.count == 8)
        let cut = try pages(phone, preset.id, "limit=1000")
        #expect(cut.map(\.count) == [2, 2, 2, 2])
        #expect(cut.joined().elementsEqual(all.joined()))
        #expect(cut.joined().map { $0 } == (0..<8).reversed().map { "Lost \($0)" })
    }

    @Test("The conflicts of all configurations are listed by configuration and digest, with name and sender")
    func ofAccount() throws {
        let phone = try Shared.newDevice()
        let presets = [Preset(minute: 60), Preset(minute: 60)].sorted { $0.id.lowercased() < $1.id.lowercased() }
        for preset in presets {
            #expect(try phone.post(preset.json).status == 201)
            for minute in 0..<2 {
                #expect(try phone.put(preset.id, preset.edited("Lost", minute: minute).json).status == 409)
            }
        }
        #expect(try phone.delete(presets[1].id).status == 200)
        let all = try phone.send("GET", "/v2/conflicts")
        let ids: [String] = all.members("configuration_id", of: "conflicts")
        #expect(ids == [presets[0].id, presets[0].id, presets[1].id, presets[1].id])
        let names = all.objects("conflicts").map { $0["configuration_name"] as? String }
        #expect(names[0] != nil && names == [names[0], names[0], nil, nil])
        let digests: [String] = all.members("digest", of: "conflicts")
        #expect(digests.count == 4 && digests[0] < digests[1] && digests[2] < digests[3])
        let devices: [[String: Any]] = all.members("device", of: "conflicts")
        #expect(devices.map { $0["id"] as? String } == Array(repeating: "phone", count: 4))
        #expect(all.objects("conflicts").allSatisfy { $0["document"] == nil })
        var (paged, query) = ([String](), "limit=1")
        while paged.count < 5 {
            let page = try phone.send("GET", "/v2/conflicts?\(query)")
            paged += page.members("digest", of: "conflicts") as [String]
            guard page.json["has_more"] as? Bool == true else { break }
            query = "limit=1&before=\(page.string("next"))"
        }
        #expect(paged == digests)
        Problems.check(try phone.send("GET", "/v2/conflicts?before=x"), "400 invalid-parameter")
    }

    @Test("A losing document that is written later leaves the conflicts of all configurations")
    func resolvedOfAccount() throws {
        let (phone, preset) = (try Shared.newDevice(), Preset(minute: 60))
        #expect(try phone.post(preset.json).status == 201)
        let early = preset.edited("Early", minute: 5)
        #expect(try phone.put(preset.id, early.json).status == 409)
        #expect(try phone.send("GET", "/v2/conflicts").objects("conflicts").count == 1)
        #expect(try phone.put(preset.id, early.json, phone.ifMatch(1, of: preset.id)).status == 200)
        #expect(try phone.send("GET", "/v2/conflicts").text == #"{"conflicts":[],"has_more":false,"next":null}"#)
    }

    @Test("A page of all conflicts ends where the configurations become large, and the next one continues")
    func largeOfAccount() throws {
        let phone = try Shared.newDevice()
        let large = String(repeating: "x", count: 900_000)
        for _ in 0..<6 {
            var preset = Preset(minute: 60)
            preset.more = #","note":"\#(large)""#
            #expect(try phone.post(preset.json).status == 201)
            #expect(try phone.put(preset.id, preset.edited("Lost", minute: 1).json).status == 409)
        }
        let first = try phone.send("GET", "/v2/conflicts")
        let next = try phone.send("GET", "/v2/conflicts?before=\(first.string("next"))")
        let counts = [first, next].map { $0.objects("conflicts").count }
        #expect(counts == [5, 1] && next.json["next"] is NSNull)
    }

    /// The names in each page.
    private func pages(_ phone: Device, _ id: String, _ limit: String) throws -> [[String]] {
        var pages: [[String]] = []
        var query = limit
        while true {
            let page = try phone.conflicts(id, query)
            let documents: [[String: Any]] = page.members("document", of: "conflicts")
            pages.append(documents.compactMap { $0["name"] as? String })
            guard page.json["has_more"] as? Bool == true, pages.count < 20 else { return pages }
            query = "\(limit)&before=\(page.string("next"))"
        }
    }
}
