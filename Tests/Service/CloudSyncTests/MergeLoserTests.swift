import CloudSync
import Testing

/// Documents that lose in more than one merge.
struct MergeLoserTests {
    @Test("The loser of two merges that write is kept once")
    func keptOnce() async throws {
        try await World.with { world in
            let devices = try await world.mergeItem(theirs: #""a":2,"b":1"#)
            let (server, mine) = (world.servers[0], try ConfigurationDocument.merging(#""a":3,"b":5"#, second: 5))
            // One value of `a` loses; `b` is merged.
            let first = try #require(try await world.merge(mine, for: devices[1]))
            #expect(first.version.number == 3 && first.document.contains(#""a":2,"b":5"#))
            for (a, second) in [(2, 20), (4, 30)] {
                let other = try ConfigurationDocument.merging("\"a\":\(a),\"b\":1", second: second)
                _ = try await server.update(WriteRule.id, other, .init(ifMatch: .any), for: devices[0]).get()
            }
            let (named, rules) = (try await world.ifMatch(4, devices[0]), try #require(DocumentRules.anything))
            let again = try await server.merging.update(WriteRule.id, mine, named, by: rules, for: devices[0]).get()
            if case .merged(let made) = again {
                #expect(made.version.number == 6 && made.document.contains(#""a":4,"b":5"#))
            } else {
                Issue.record("\(again)")
            }
            let state = try await FinalState(of: devices[0].userID, in: world)
            #expect(state.losers.count == 1)
            #expect(state.irregularities == [])
        }
    }

    @Test("A loser has the time of its own edit, also when a merge writes a document with a later one")
    func editTime() async throws {
        try await World.with { world in
            let devices = try await world.mergeItem(theirs: #""a":2,"b":1"#)
            let mine = try ConfigurationDocument.merging(#""a":3,"b":5"#, second: 5)
            let merged = try #require(try await world.merge(mine, for: devices[1]))
            let page = try await world.servers[0].history.conflicts(of: WriteRule.id, limit: 10, for: devices[0])
            #expect(merged.version.number == 3)
            #expect(page.items.map(\.editedAt) == [Timestamp(seconds: 1_700_000_005).text])
        }
    }

    @Test("The loser of a merge without a write is kept once, also while it is the current document")
    func keptOnceWithoutWrite() async throws {
        try await World.with { world in
            let devices = try await world.mergeItem(theirs: #""a":2,"b":1"#)
            let mine = try ConfigurationDocument.merging(#""a":3,"b":1"#, second: 5)
            let first = try #require(try await world.merge(mine, for: devices[1]))
            #expect(first.version.number == 2)
            _ = try await world.servers[0].update(WriteRule.id, mine, .init(ifMatch: .any), for: devices[0]).get()
            for server in world.servers {
                let again = try #require(try await world.merge(mine, for: devices[1], on: server))
                #expect(again.version == first.version)
            }
            let state = try await FinalState(of: devices[0].userID, in: world)
            #expect(state.losers.count == 1)
            #expect(state.irregularities == [])
        }
    }
}
