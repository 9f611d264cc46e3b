import TestSupport
import Testing

@Suite("Changes since a cursor", .blocking)
struct DeltaTests {
    /// All entries of a chain of pages, in order: documents, and deleted ids in quotes.
    private struct Chain {
        var documents: [String] = []
        var deleted: [String] = []
        var sizes: [Int] = []
        var token = ""
    }

    private func follow(_ device: Device, _ start: String, limit: Int) throws -> Chain {
        var chain = Chain()
        var query = start
        while true {
            let page = try device.pull(query.isEmpty ? "limit=\(limit)" : "\(query)&limit=\(limit)")
            guard page.status == 200, chain.sizes.count < 50 else { throw Program.Failure(page.text) }
            chain.documents += page.rawElements("configurations")
            chain.deleted += page.rawElements("deleted")
            chain.sizes.append(page.rawElements("versions").count)
            chain.token = page.string("sync_token")
            if page.json["has_more"] as? Bool != true { return chain }
            query = "sync_token=\(chain.token)"
        }
    }

    @Test("The pages of a full set together are the full set, tombstones included")
    func pages() throws {
        let device = try Shared.newDevice()
        let presets = (0..<7).map { Preset("Preset \($0)") }
        for preset in presets { #expect(try device.post(preset.json).status == 201) }
        #expect(try device.delete(presets[2].id).status == 200)
        let full = try device.pull()
        #expect(full.rawElements("configurations").count == 6)
        #expect(full.rawElements("deleted") == ["\"\(presets[2].id)\""])
        #expect(full.json["has_more"] == nil)
        #expect(full.json["reset"] as? Bool == false)
        for limit in [3, 1000] {
            let chain = try follow(device, "", limit: limit)
            #expect(chain.documents == full.rawElements("configurations"))
            #expect(chain.deleted == full.rawElements("deleted"))
            #expect(chain.sizes.allSatisfy { $0 <= limit })
            #expect(chain.token == full.string("sync_token"))
            let byTime = try follow(device, "last_sync=2000-01-01T00:00:00Z", limit: limit)
            #expect(byTime.documents == chain.documents)
            #expect(byTime.deleted == chain.deleted)
            #expect(byTime.token == chain.token)
        }
    }

    @Test("A pull without changes gets 304, until a change or another query")
    func notModified() throws {
        let device = try Shared.newDevice()
        #expect(try device.post(Preset().json).status == 201)
        let first = try device.pull()
        let query = "sync_token=\(first.string("sync_token"))"
        let delta = try device.pull(query)
        for (answer, question) in [(first, ""), (delta, query)] {
            let tag = try #require(answer.field("etag"))
            let known: APIClient.Fields = [("If-None-Match", tag)]
            let again = try device.pull(question, known)
            #expect(again.status == 304)
            #expect(again.field("etag") == tag)
            #expect(try device.pull(question, [("If-None-Match", "\"x\", W/\(tag)")]).status == 304)
            let separator = question.isEmpty ? "" : "&"
            #expect(try device.pull("\(question)\(separator)limit=5", known).status == 200)
        }
        let known: APIClient.Fields = [("If-None-Match", delta.field("etag") ?? "")]
        #expect(try device.pull("", known).status == 200)
        #expect(try device.post(Preset().json).status == 201)
        #expect(try device.pull(query, known).rawElements("configurations").count == 1)
    }

    @Test("server_time is the time of the newest change in whole seconds, not the clock's")
    func serverTime() throws {
        let device = try Shared.newDevice()
        let preset = Preset()
        #expect(try device.post(preset.json).status == 201)
        let user = device.userID
        try Shared.server.get().sql(
            "UPDATE sync_heads SET changed_at = '2026-02-03T04:05:06.789Z' WHERE user_id = '\(user)'"
        )
        #expect(try device.pull().string("server_time") == "2026-02-03T04:05:06Z")
        #expect(try device.put(preset.id, preset.edited("New", minute: 5).json).string("updated_at") > "2026-02-03")
    }
}
