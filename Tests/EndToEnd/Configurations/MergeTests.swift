import Foundation
import TestSupport
import Testing

@Suite("PUT with Prefer: merge", .blocking)
struct MergeTests {
    private static let exposure = #","exposure_settings":{"mode":"auto","iso":100.0},"x_lut":{"r":1,"g":1}"#

    private func merge(_ device: Device, _ preset: Preset, _ version: Int, _ prefer: String = "merge") throws
        -> HTTPAnswer
    {
        let fields = [("If-Match", "\"\(version)\""), ("Prefer", prefer)]
        return try device.put(preset.id, preset.json, device.tagged(fields, of: preset.id))
    }

    /// A preset that phone and tablet have in version 1. The phone has edited it since.
    private func conflict() throws -> (phone: Device, tablet: Device, base: Preset, theirs: Preset) {
        let (phone, tablet) = try (Shared.device(), Shared.tablet())
        let base = Preset(more: Self.exposure)
        #expect(try phone.post(base.json).status == 201)
        var theirs = base.edited("By the phone", minute: 10)
        theirs.more = #","exposure_settings":{"mode":"auto","iso":400.0},"x_lut":{"r":1,"g":1}"#
        #expect(try phone.put(base.id, theirs.json, phone.ifMatch(1, of: base.id)).status == 200)
        return (phone, tablet, base, theirs)
    }

    private func expectMerged(
        _ answer: HTTPAnswer,
        _ version: Int,
        conflicts: [String] = [],
        at location: SourceLocation = #_sourceLocation
    ) throws {
        #expect(answer.status == 200, "\(answer.text)", sourceLocation: location)
        #expect(answer.field("preference-applied") == "merge", sourceLocation: location)
        #expect(answer.version == version, sourceLocation: location)
        #expect(answer.string("updated_at").hasSuffix("Z"), sourceLocation: location)
        #expect(answer.rawElements("conflicts") == conflicts, sourceLocation: location)
    }

    @Test("A merge keeps edits of different fields, also inside exposure_settings")
    func differentFields() throws {
        let (phone, tablet, base, theirs) = try conflict()
        var mine = base
        mine.kind = "night"
        mine.minute = 5
        mine.more = #","exposure_settings":{"mode":"manual","iso":100.0},"x_lut":{"r":1,"g":7},"x_new":[1e1]"#
        let answer = try merge(tablet, mine, 1)
        try expectMerged(answer, 3)
        let merged = try phone.get(base.id)
        #expect(merged.version == 3)
        #expect(merged.text == answer.raw("configuration"))
        #expect(merged.string("name") == theirs.name)
        #expect(merged.string("preset") == "night")
        #expect(merged.string("modified_at") == "2025-06-01T00:10:00Z")
        #expect(merged.raw("exposure_settings") == #"{"mode":"manual","iso":400.0}"#)
        #expect(merged.raw("x_lut") == #"{"r":1,"g":7}"#)
        #expect(merged.raw("x_new") == "[1e1]")
    }

    @Test("The later edit of one field wins a merge; the other is named and kept in full")
    func sameField() throws {
        for (minute, winner) in [(20, "mine"), (5, "theirs")] {
            let (phone, tablet, base, theirs) = try conflict()
            var mine = base.edited("By the tablet", minute: minute)
            mine.kind = "sport"
            let answer = try merge(tablet, mine, 1)
            let values = #""base":"Sunset","mine":"By the tablet","theirs":"By the phone""#
            try expectMerged(
                answer,
                3,
                conflicts: [#"{"pointer":"/name",\#(values),"winner":"\#(winner)","reason":"later-edit"}"#]
            )
            let merged = try phone.get(base.id)
            #expect(merged.string("name") == (winner == "mine" ? mine.name : theirs.name))
            #expect(merged.string("preset") == "sport")
            let sql = "SELECT document FROM configuration_versions WHERE id = '\(base.id)' AND version = 2"
            #expect(try Shared.server.get().sql(sql) == [theirs.json])
            #expect(try losers(base.id) == (winner == "mine" ? [] : [mine.json]))
        }
    }

    private func losers(_ id: String) throws -> [String] {
        try Shared.server.get().sql("SELECT document FROM configuration_conflicts WHERE id = '\(id)'")
    }

    @Test("A merge lists a removal against a change as a conflict in which a side has no value")
    func removal() throws {
        let (_, tablet, base, _) = try conflict()
        var mine = base
        mine.minute = 5
        mine.more = #","x_lut":{"r":1,"g":1}"#
        let answer = try merge(tablet, mine, 1)
        let settings = (#"{"mode":"auto","iso":100.0}"#, #"{"mode":"auto","iso":400.0}"#)
        try expectMerged(
            answer,
            2,
            conflicts: [
                #"{"pointer":"/exposure_settings","base":\#(settings.0),"theirs":\#(settings.1),"winner":"theirs","#
                    + #""reason":"later-edit"}"#
            ]
        )
        #expect(try losers(base.id) == [mine.json])
    }

    @Test("A PUT with the merge preference and nothing to merge is answered like one without it")
    func nothingToMerge() throws {
        let (phone, tablet, base, theirs) = try conflict()
        let prefer: APIClient.Fields = [("Prefer", "merge")]
        func expectPlain(_ answer: HTTPAnswer, _ verdict: String) {
            #expect(answer.verdict == verdict)
            #expect(answer.field("preference-applied") == nil)
            #expect(answer.raw("conflicts") == nil)
        }
        let third = base.edited("Third", minute: 20)
        expectPlain(try merge(tablet, third, 2), "200")
        expectPlain(try tablet.put(base.id, theirs.edited("Older", minute: 1).json, prefer), "409 edited-later")
        let late = base.edited("Fourth", minute: 30)
        expectPlain(try tablet.put(base.id, late.json, prefer), "200")
        let more = base.edited("Fifth", minute: 40)
        for tags in ["\"9\"", "\"0\"", "\"-1\"", "\"1\", \"2\"", "W/\"9\"", "\"x\"", "\"2147483647\""] {
            let answer = try tablet.put(base.id, more.json, prefer + tablet.tagged([("If-Match", tags)], of: base.id))
            expectPlain(answer, "412 version-mismatch")
            #expect(answer.raw("current") == late.json)
            #expect(answer.version == 4)
        }
        let both = try prefer + tablet.tagged([("If-Match", "\"1\""), ("If-None-Match", "\"4\"")], of: base.id)
        expectPlain(try tablet.put(base.id, more.json, both), "412 version-mismatch")
        expectPlain(try tablet.put(base.id, more.json, prefer + [("If-Match", "*")]), "200")
        #expect(try phone.get(base.id).text == more.json)
    }

    @Test("A merge without the base's document gets 412 with the current document")
    func emptiedBase() throws {
        let (_, tablet, base, theirs) = try conflict()
        _ = try Shared.server.get().sql(
            "UPDATE configuration_versions SET document = NULL WHERE id = '\(base.id)' AND version = 1"
        )
        let answer = try merge(tablet, base.edited("Mine", minute: 20), 1)
        #expect(answer.verdict == "412 version-mismatch")
        #expect(answer.raw("current") == theirs.json)
        #expect(answer.version == 2)
    }

    @Test("A merge into a deleted item gets 409, and its document is kept")
    func deleted() throws {
        let (phone, tablet, base, _) = try conflict()
        #expect(try phone.delete(base.id).status == 200)
        let mine = base.edited("Mine", minute: 20)
        for version in [1, 2] {
            let answer = try merge(tablet, mine, version)
            #expect(answer.verdict == "409 configuration-deleted")
            #expect(answer.version == 3)
        }
        #expect(try losers(base.id) == [mine.json])
        #expect(try phone.get(base.id).status == 404)
    }

    @Test("A merge of an unknown or foreign id gets 404, and of an id that differs from the path's 422")
    func notMine() throws {
        let (_, _, base, _) = try conflict()
        #expect(try merge(Shared.other(), base.edited("Stolen", minute: 50), 1).verdict == "404 not-found")
        #expect(try merge(Shared.device(), Preset(), 1).verdict == "404 not-found")
        let answer = try Shared.device().put(
            base.id,
            Preset().json,
            Shared.device().ifMatch(1, of: base.id) + [("Prefer", "merge")]
        )
        #expect(answer.verdict == "422 id-mismatch")
    }

    @Test("A merge may spell the id in another way; the creator's spelling is stored")
    func spelling() throws {
        let (phone, tablet, base, _) = try conflict()
        var mine = base
        mine.id = base.id.lowercased()
        mine.kind = "macro"
        mine.minute = 5
        try expectMerged(try merge(tablet, mine, 1), 3)
        #expect(try phone.get(base.id).string("id") == base.id)
    }

    @Test(
        "The merge preference is parsed by RFC 7240",
        arguments: [("wait=10, handling=lenient, merge", true), ("merge=no, merge", false)]
    )
    func preference(field: String, isMerge: Bool) throws {
        let (_, tablet, base, _) = try conflict()
        var mine = base
        mine.kind = "macro"
        mine.minute = 5
        let answer = try merge(tablet, mine, 1, field)
        #expect(answer.verdict == (isMerge ? "200" : "412 version-mismatch"))
        #expect(answer.field("preference-applied") == (isMerge ? "merge" : nil))
    }
}
