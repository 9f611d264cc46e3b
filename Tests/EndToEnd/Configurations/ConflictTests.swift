import Foundation
import TestSupport
import Testing

@Suite("Conflicting writes are refused and lose nothing", .blocking)
struct ConflictTests {
    /// The losing documents, oldest first.
    private func losers(_ id: String) throws -> [String] {
        try Shared.server.get().sql(
            "SELECT document FROM configuration_conflicts WHERE id = '\(id)' ORDER BY received_at"
        )
    }

    private func expectConflict(
        _ answer: HTTPAnswer,
        _ verdict: String,
        current: String,
        version: Int,
        at location: SourceLocation = #_sourceLocation
    ) {
        #expect(answer.verdict == verdict, sourceLocation: location)
        #expect(answer.raw("current") == current, sourceLocation: location)
        #expect(answer.version == version, sourceLocation: location)
    }

    @Test("POST of a known id with other content gets 409 with the current document, and stores the loser once")
    func postKnown() throws {
        let (phone, preset) = (try Shared.device(), Preset())
        #expect(try phone.post(preset.json).status == 201)
        let other = preset.edited("Other", minute: 5)
        for _ in 0..<2 {
            expectConflict(try phone.post(other.json), "409 configuration-exists", current: preset.json, version: 1)
        }
        #expect(try losers(preset.id) == [other.json])
        #expect(try phone.get(preset.id).text == preset.json)
    }

    @Test("PUT with a stale If-Match gets 412 with the current document and version")
    func stale() throws {
        let (phone, preset) = (try Shared.device(), Preset())
        #expect(try phone.post(preset.json).status == 201)
        let second = preset.edited("Second", minute: 5)
        #expect(try phone.put(preset.id, second.json, phone.ifMatch(1, of: preset.id)).status == 200)
        let third = preset.edited("Third", minute: 9).json
        for tags in ["\"1\"", "\"7\"", "W/\"1\"", "\"1\", \"3\""] {
            let answer = try phone.put(preset.id, third, phone.tagged([("If-Match", tags)], of: preset.id))
            expectConflict(answer, "412 version-mismatch", current: second.json, version: 2)
        }
        expectConflict(
            try phone.delete(preset.id, phone.ifMatch(1, of: preset.id)),
            "412 version-mismatch",
            current: second.json,
            version: 2
        )
        let all = try phone.tagged([("If-Match", "\"1\" , W/\"3\",\"2\"")], of: preset.id)
        #expect(try phone.put(preset.id, third, all).status == 200)
    }

    @Test("A write takes the current tag in If-Match also when a proxy has made it weak")
    func weakened() throws {
        let (phone, preset) = (try Shared.device(), Preset())
        var tag = try phone.post(preset.json).tag
        tag = try phone.put(preset.id, preset.edited("Second", minute: 5).json, [("If-Match", "W/\"\(tag)\"")]).tag
        tag = try phone.patch(preset.id, #"{"name":"Third"}"#, [("If-Match", "W/\"\(tag)\"")]).tag
        #expect(try phone.delete(preset.id, [("If-Match", "W/\"\(tag)\"")]).status == 200)
    }

    @Test("If-Match with a bare number, a foreign tag or malformed text gets 412")
    func foreignTags() throws {
        let (phone, preset) = (try Shared.device(), Preset())
        #expect(try phone.post(preset.json).status == 201)
        let second = preset.edited("Second", minute: 5)
        let tag = try phone.put(preset.id, second.json).tag
        let third = preset.edited("Third", minute: 9).json
        let foreign = [
            "1", "2", "1-000000000000", "2-000000000000", "0\(tag)", tag.uppercased() + "A", "seven",
            "99999999999999999999",
        ]
        for tag in foreign {
            let answer = try phone.put(preset.id, third, [("If-Match", "\"\(tag)\"")])
            expectConflict(answer, "412 version-mismatch", current: second.json, version: 2)
        }
        #expect(try phone.put(preset.id, third, [("If-Match", "\"\(tag)\"")]).status == 200)
    }

    @Test("A phone set to 2099 does not win for ever")
    func farFuture() throws {
        let (phone, preset) = (try Shared.device(), Preset(modifiedAt: "2099-01-01T00:00:00Z"))
        #expect(try phone.post(preset.json).status == 201)
        var edited = preset.edited("Right clock", minute: 0)
        // The time is a minute in the future. So the server uses received_at, which is later than the POST's.
        edited.modifiedAt = ISO8601DateFormatter().string(from: Date(timeIntervalSinceNow: 60))
        #expect(try phone.put(preset.id, edited.json).status == 200)
        #expect(try phone.get(preset.id).text == edited.json)
        var late = preset.edited("2099 again", minute: 0)
        late.modifiedAt = "2099-01-01T00:00:01Z"
        #expect(try phone.put(preset.id, late.json).status == 200)
        var older = preset.edited("An hour ago", minute: 0)
        older.modifiedAt = ISO8601DateFormatter().string(from: Date(timeIntervalSinceNow: -3600))
        #expect(try phone.put(preset.id, older.json).verdict == "409 edited-later")
    }

    @Test("POST or PUT of a deleted id with another document gets 409, unless If-Match names the tombstone")
    func deletedItem() throws {
        let (phone, preset) = (try Shared.device(), Preset())
        #expect(try phone.post(preset.json).status == 201)
        #expect(try phone.delete(preset.id).status == 200)
        let other = preset.edited("Other", minute: 500)
        let attempts: [(String, APIClient.Fields)] = [
            ("POST", []), ("PUT", []), ("PUT", [("If-Match", "\"1\"")]), ("PUT", [("If-Match", "*")]),
        ]
        for (method, fields) in attempts {
            let answer =
                method == "POST"
                ? try phone.post(other.json, fields)
                : try phone.put(preset.id, other.json, phone.tagged(fields, of: preset.id))
            expectConflict(answer, "409 configuration-deleted", current: "null", version: 2)
        }
        #expect(try losers(preset.id) == [other.json])
        #expect(try phone.get(preset.id).verdict == "404 not-found")
        let again = try phone.post(other.json, phone.ifMatch(2, of: preset.id))
        #expect(again.status == 201)
        #expect(again.version == 3)
        #expect(try phone.get(preset.id).text == other.json)
    }

    @Test("PUT and DELETE of an unknown id get 404, and POST with If-Match 412")
    func unknown() throws {
        let (phone, preset) = (try Shared.device(), Preset())
        let put = try phone.put(preset.id, preset.json)
        #expect(put.verdict == "404 not-found" && put.string("detail").contains("POST /configurations"))
        #expect(try phone.put(preset.id, preset.json, phone.ifMatch(1, of: preset.id)).verdict == "404 not-found")
        #expect(try phone.delete(preset.id).verdict == "404 not-found")
        #expect(try phone.get(preset.id).verdict == "404 not-found")
        #expect(try phone.post(preset.json, [("If-Match", "*")]).verdict == "412 version-mismatch")
        #expect(try phone.get(preset.id).verdict == "404 not-found")
    }

    @Test("PUT with an id that differs from the path's gets 422 and changes nothing")
    func otherID() throws {
        let (phone, preset) = (try Shared.device(), Preset())
        #expect(try phone.post(preset.json).status == 201)
        #expect(try phone.put(preset.id, Preset().json).verdict == "422 id-mismatch")
        #expect(try phone.get(preset.id).text == preset.json)
    }

    @Test("If-None-Match: * lets only the first of two writes through")
    func ifNoneMatch() throws {
        let (phone, preset) = (try Shared.device(), Preset())
        let none: APIClient.Fields = [("If-None-Match", "*")]
        let first = try phone.post(preset.json, none)
        #expect(first.status == 201)
        #expect(try phone.post(preset.json, none).body == first.body)
        let other = preset.edited("Other", minute: 5)
        expectConflict(try phone.post(other.json, none), "412 version-mismatch", current: preset.json, version: 1)
        expectConflict(
            try phone.put(preset.id, other.json, none),
            "412 version-mismatch",
            current: preset.json,
            version: 1
        )
        let weak = try phone.tagged([("If-None-Match", "W/\"1\"")], of: preset.id)
        #expect(try phone.put(preset.id, other.json, weak).status == 412)
        #expect(try phone.put(preset.id, other.json, [("If-None-Match", "\"7\"")]).status == 200)
    }

    @Test(
        "A malformed If-Match or If-None-Match is refused before the write",
        arguments: ["1", "\"1", "", "\"1\" \"2\"", "*, \"1\"", "w/\"1\"", ",", "W/", "'1'"]
    )
    func malformed(value: String) throws {
        let (phone, preset) = (try Shared.device(), Preset())
        for name in ["If-Match", "If-None-Match"] {
            #expect(try phone.post(preset.json, [(name, value)]).verdict == "400 invalid-header")
        }
        #expect(try phone.get(preset.id).status == 404)
    }
}
