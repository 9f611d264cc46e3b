import Foundation
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
        var resets: [Bool] = []
    }

    private func follow(_ device: Device, _ start: String, limit: Int, between: (Int) throws -> Void = { _ in }) throws
        -> Chain
    {
        var chain = Chain()
        var query = start
        while true {
            let page = try device.pull(query.isEmpty ? "limit=\(limit)" : "\(query)&limit=\(limit)")
            guard page.status == 200, chain.sizes.count < 50 else { throw Program.Failure(page.text) }
            chain.documents += page.rawElements("configurations")
            chain.deleted += page.rawElements("deleted")
            chain.sizes.append(page.rawElements("versions").count)
            chain.resets.append(page.json["reset"] as? Bool ?? false)
            chain.token = page.string("sync_token")
            if page.json["has_more"] as? Bool != true { return chain }
            try between(chain.sizes.count)
            query = "sync_token=\(chain.token)"
        }
    }

    @Test("The pages of a full set are together the full set, tombstones included")
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
        for limit in [1, 3, 7, 1000] {
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

    @Test("What changes between two pages is not missed")
    func changesBetweenPages() throws {
        let device = try Shared.newDevice()
        let presets = (0..<6).map { Preset("Preset \($0)") }
        for preset in presets { #expect(try device.post(preset.json).status == 201) }
        let chain = try follow(device, "", limit: 2) { (page: Int) throws in
            guard page == 1 else { return }
            // An item already sent, an item not sent yet, a new item, and a deleted item.
            #expect(try device.put(presets[0].id, presets[0].edited("Changed 0", minute: 9).json).status == 200)
            #expect(try device.put(presets[5].id, presets[5].edited("Changed 5", minute: 9).json).status == 200)
            #expect(try device.post(Preset("New").json).status == 201)
            #expect(try device.delete(presets[1].id).status == 200)
        }
        var state: [String: String] = [:]
        for document in chain.documents {
            let id = String(document.split(separator: "\"")[3])
            state[id] = document
        }
        for id in chain.deleted { state[String(id.dropFirst().dropLast())] = nil }
        #expect(Set(state.values) == Set(try device.pull().rawElements("configurations")))
        #expect(try device.pull("sync_token=\(chain.token)").rawElements("versions") == [])
    }

    @Test("A delta right after an acknowledged write contains it")
    func readYourWrite() throws {
        let device = try Shared.newDevice()
        let reader = try device.other()
        var token = try reader.pull().string("sync_token")
        for number in 0..<20 {
            let preset = Preset("Preset \(number)")
            #expect(try device.post(preset.json).status == 201)
            let delta = try reader.pull("sync_token=\(token)")
            #expect(delta.rawElements("configurations") == [preset.json])
            token = delta.string("sync_token")
        }
    }

    @Test("Nothing new: 304 with the ETag of the answer, 200 as soon as something changed or the question is another")
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

    @Test(
        "A cursor of no use gives the full set, and reset on its first page: another chain, ahead of the head, far future"
    )
    func resets() throws {
        let device = try Shared.newDevice()
        let (kept, gone) = (Preset("Kept"), Preset("Gone"))
        for preset in [kept, gone] { #expect(try device.post(preset.json).status == 201) }
        #expect(try device.delete(gone.id).status == 200)
        let token = try device.pull().string("sync_token")
        let parts = token.split(separator: ".").map(String.init)
        let other = try Shared.newDevice().pull().string("sync_token")
        func changed(_ index: Int, _ part: String) -> String {
            var changed = parts
            changed[index] = part
            return "sync_token=" + changed.joined(separator: ".")
        }
        let queries = [
            "sync_token=\(other)", changed(0, "2"), changed(0, "4"), changed(0, "999999999999"),
            changed(1, String(repeating: "0", count: 32)), changed(2, "1"),
            "last_sync=2099-01-01T00:00:00Z", "last_sync=9999-12-31T23:59:59Z",
        ]
        for query in queries {
            let answer = try device.pull(query)
            #expect(answer.json["reset"] as? Bool == true, "\(query)")
            #expect(answer.rawElements("configurations") == [kept.json])
            #expect(answer.rawElements("deleted") == ["\"\(gone.id)\""])
            #expect(answer.string("sync_token") == token)
            let pages = try follow(device, query, limit: 1)
            #expect(pages.documents + pages.deleted == [kept.json, "\"\(gone.id)\""])
            #expect(pages.resets == [true, false], "\(query)")
        }
        #expect(try device.pull("sync_token=\(token)").json["reset"] as? Bool == false)
    }

    @Test("A token of long ago is good, whatever has been written since, and so is that of an empty account")
    func oldTokens() throws {
        let (device, preset) = (try Shared.newDevice(), Preset())
        var tokens = [try device.pull().string("sync_token")]
        for minute in 0..<4 {
            let edited = preset.edited("Edit \(minute)", minute: minute)
            #expect(try (minute == 0 ? device.post(edited.json) : device.put(preset.id, edited.json)).status < 300)
            tokens.append(try device.pull().string("sync_token"))
        }
        #expect(try device.delete(preset.id).status == 200)
        for token in tokens {
            let answer = try device.pull("sync_token=\(token)")
            #expect(answer.json["reset"] as? Bool == false)
            #expect(answer.rawElements("deleted") == ["\"\(preset.id)\""])
        }
    }

    @Test("server_time is the time of the newest change, in whole seconds, and never the clock")
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

    @Test("A clock that was set back does not set changed_at back")
    func clockSetBack() throws {
        let device = try Shared.newDevice()
        let user = device.userID
        try Shared.server.get().sql(
            "UPDATE sync_heads SET changed_at = '2098-01-01T00:00:00.500Z' WHERE user_id = '\(user)'"
        )
        let preset = Preset()
        #expect(try device.post(preset.json).string("created_at") == "2098-01-01T00:00:00Z")
        #expect(try device.pull("last_sync=2098-01-01T00:00:00Z").rawElements("configurations") == [preset.json])
        #expect(try device.pull("last_sync=2098-01-01T00:00:00Z").json["reset"] as? Bool == false)
    }
}
