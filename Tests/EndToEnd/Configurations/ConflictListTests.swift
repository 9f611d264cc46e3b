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
