import CloudSync
import NeuroViewsJSON
import Testing

/// Merging and patching across transactions, with a rolled-back transaction or other writes in between.
struct MergeServiceTests {
    private static let long = String(repeating: "x", count: 1000)

    private static let failing = """
        CREATE FUNCTION public.fail() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN RAISE EXCEPTION 'undone' USING ERRCODE = '40001'; END $$;
        CREATE CONSTRAINT TRIGGER fail AFTER INSERT ON configuration_versions
        DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION public.fail()
        """

    @Test("A merge whose write was rolled back changes nothing and leaves its nonce unused")
    func undone() async throws {
        try await World.with { world in
            let phone = try await world.mergeItem()[1]
            let mine = try ConfigurationDocument.merging(#""a":1,"b":5"#, second: 5)
            try await world.sql(Self.failing)
            await #expect(throws: CloudSyncError.self) { try await world.merge(mine, for: phone.signing("1")) }
            try await world.sql("DROP TRIGGER fail ON configuration_versions")
            #expect(try await world.servers[1].get(WriteRule.id, for: phone).version.number == 2)
            let first = try await world.merge(mine, for: phone.signing("1"), on: world.servers[1])
            #expect(first?.version.number == 3)
            #expect(first?.document.contains(#""a":2,"b":5"#) == true)
            await #expect(throws: CloudSyncError.self) { try await world.merge(mine, for: phone.signing("1")) }
            let again = try await world.merge(mine, for: phone.signing("2"))
            #expect(again?.text == first?.text)
            #expect(again?.version == first?.version)
        }
    }

    @Test("A retry after a rollback also merges the writes made in between")
    func othersBetween() async throws {
        try await World.with { world in
            let devices = try await world.mergeItem()
            let mine = try ConfigurationDocument.merging(#""a":1,"b":5"#, second: 5)
            let patch = #"{"c":7,"modified_at":"2026-01-01T00:00:00Z"}"#
            try await world.sql(Self.failing)
            await #expect(throws: CloudSyncError.self) { try await world.merge(mine, for: devices[1]) }
            await #expect(throws: CloudSyncError.self) { try await world.patch(patch, for: devices[1]) }
            try await world.sql("DROP TRIGGER fail ON configuration_versions")
            let between = try ConfigurationDocument.merging(#""a":2,"b":1,"d":1"#, second: 20)
            let receipt = try await world.servers[0].update(WriteRule.id, between, for: devices[0]).get()
            #expect(receipt.version.number == 3)
            let merged = try await world.merge(mine, for: devices[1])
            #expect(merged?.version.number == 4)
            #expect(merged?.document.contains(#""a":2,"b":5,"#) == true)
            let patched = try await world.patch(patch, for: devices[1], on: 1)
            #expect(patched.version.number == 5)
            for (name, value) in [("a", 2), ("b", 5), ("c", 7), ("d", 1)] {
                #expect(patched.document.contains("\"\(name)\":\(value)"))
            }
            for _ in 0..<2 {
                #expect(try await world.merge(mine, for: devices[1], on: world.servers[1])?.text == merged?.text)
                #expect(try await world.patch(patch, for: devices[1]).text == patched.text)
            }
            #expect(try await world.servers[0].get(WriteRule.id, for: devices[0]).version.number == 5)
        }
    }

    @Test("Two merges give the same document in either order")
    func symmetric() async throws {
        let edits = [(#""a":2,"b":1,"x":1"#, 10), (#""a":3,"b":7,"y":1"#, 20)]
        let outcomes = Outcomes()
        for order in [[0, 1], [1, 0]] {
            try await World.with { world in
                let device = try await world.newAccount()[0]
                _ = try await world.servers[0].create(.merging(#""a":1,"b":1"#, second: 0), for: device).get()
                for index in order {
                    let edit = try ConfigurationDocument.merging(edits[index].0, second: edits[index].1)
                    _ = try await world.merge(edit, for: device, on: world.servers[index])
                }
                await outcomes.add(try await world.servers[0].get(WriteRule.id, for: device).document)
                let state = try await FinalState(of: device.userID, in: world)
                #expect(state.irregularities == [], "what lost is counted")
            }
        }
        #expect(await outcomes.texts.count == 1)
        #expect(await outcomes.texts.first?.contains(#""a":3,"b":7"#) == true)
    }

    @Test("A merge with an invalid or too large result gets 412, as without the preference")
    func invalidOutcome() async throws {
        try await World.with { world in
            let phone = try await world.mergeItem(theirs: #""a":1,"b":1,"c":1"#)[1]
            let mine = try ConfigurationDocument.merging(#""a":1,"b":1,"d":1"#, second: 5)
            let small = try DocumentRules.of("{}", maxBytes: 80)
            for rules in [try DocumentRules.of(#"{"maxProperties":5}"#), small] {
                do {
                    _ = try await world.merge(mine, for: phone, rules)
                    Issue.record("it was merged")
                } catch CloudSyncError.conflict(let conflict) {
                    #expect(conflict.reason == .versionMismatch)
                    #expect(conflict.version?.number == 2)
                }
            }
            #expect(try await world.merge(mine, for: phone)?.version.number == 3)
        }
    }

    @Test("A merge without room for its loser is refused by the quota")
    func noRoom() async throws {
        try await World.with(quotas: AccountQuotas(historyMaxBytes: 1500)) { world in
            let callers = try await world.mergeItem()
            let mine = try ConfigurationDocument.merging(#""a":3,"b":1,"long":"\#(Self.long)""#, second: 5)
            await #expect {
                _ = try await world.merge(mine, for: callers[1])
            } throws: { error in
                guard case CloudSyncError.quotaExceeded(let excess) = error else { return false }
                return excess.quota == .historyBytes
            }
            #expect(try await world.servers[0].get(WriteRule.id, for: callers[0]).version.number == 2)
            #expect(try await FinalState(of: callers[0].userID, in: world).irregularities == [])
        }
    }

    @Test("A retried merge keeps the loser that had no room at first")
    func roomForTheRetry() async throws {
        try await World.with(quotas: AccountQuotas(historyMaxBytes: 1000)) { world in
            let callers = try await world.mergeItem()
            let mine = try ConfigurationDocument.merging(#""a":3,"b":1,"long":"\#(Self.long)""#, second: 5)
            await #expect(throws: CloudSyncError.self) { try await world.merge(mine, for: callers[1]) }
            #expect(try await FinalState(of: callers[0].userID, in: world).losers.isEmpty)
            let roomy = world.server(DeltaLimits())
            for _ in 0..<2 { #expect(try await world.merge(mine, for: callers[1], on: roomy)?.version.number == 3) }
            let state = try await FinalState(of: callers[0].userID, in: world)
            #expect(state.losers.map { $0.contains(#""a":3"#) } == [true])
            #expect(state.irregularities == [])
        }
    }

    @Test("A merge conflict with a pointer over 1,000 bytes gets 412, as without the preference")
    func longPointer() async throws {
        try await World.with { world in
            let name = String(repeating: "n", count: 1001)
            let phone = try await world.mergeItem(base: #""\#(name)":1"#, theirs: #""\#(name)":2"#)[1]
            let mine = try ConfigurationDocument.merging(#""\#(name)":3"#, second: 5)
            await #expect(throws: CloudSyncError.self) { try await world.merge(mine, for: phone) }
        }
    }

    @Test("An ended session can neither merge nor patch")
    func endedSession() async throws {
        try await World.with { world in
            let phone = try await world.mergeItem()[1]
            try await world.sql("UPDATE sessions SET ended_at = now() WHERE id = '\(phone.sessionID)'")
            let mine = try ConfigurationDocument.merging(#""a":1,"b":5"#, second: 5)
            for caller in [phone, phone.signing("1")] {
                await #expect(throws: CloudSyncError.self) { try await world.merge(mine, for: caller) }
                await #expect(throws: CloudSyncError.self) { try await world.patch(#"{"a":9}"#, for: caller) }
            }
            #expect(try await world.sql("SELECT FROM nonces").count == 0)
        }
    }

    @Test("30 concurrent patches and merges at two servers lose nothing and make one version each")
    func parallel() async throws {
        try await World.with { world in
            let devices = try await world.mergeItem()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<30 {
                    group.addTask(executorPreference: world.loops[number / 2 % 2]) {
                        try await compete(number, number % 2, devices[number % 2], in: world)
                    }
                }
                try await group.waitForAll()
            }
            let end = try await world.servers[0].get(WriteRule.id, for: devices[0])
            #expect(end.version.number == 32)
            let document = try JSONParser.parse(end.document, policy: .requestBody)
            for number in 0..<30 { #expect(document["m\(number)"] != nil, "\(number)") }
            let state = try await FinalState(of: devices[0].userID, in: world)
            #expect(state.irregularities == [])
        }
    }

    @Test("The second of two writers that read the same version merges")
    func bothRead() async throws {
        try await World.with { world in
            let devices = try await world.newAccount(devices: 2)
            _ = try await world.servers[0].create(.merging(#""a":1,"b":1"#, second: 0), for: devices[0]).get()
            // Slow commits, so that the other writer reads before the first one's commit.
            try await world.sql(
                """
                CREATE FUNCTION public.slow() RETURNS trigger LANGUAGE plpgsql AS $$
                BEGIN PERFORM pg_sleep(0.5); RETURN NULL; END $$;
                CREATE CONSTRAINT TRIGGER slow AFTER INSERT ON configuration_versions
                DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION public.slow()
                """
            )
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<2 {
                    group.addTask(executorPreference: world.loops[number]) {
                        try await compete(number * 3, number, devices[number], in: world)
                    }
                }
                try await group.waitForAll()
            }
            let end = try await world.servers[0].get(WriteRule.id, for: devices[0])
            #expect(end.version.number == 3)
            let text = String(decoding: end.document, as: UTF8.self)
            #expect(text.contains("m0") && text.contains("m3"))
        }
    }

    /// Adds the member `m<number>`, by a merge or a patch.
    private func compete(_ number: Int, _ server: Int, _ device: Caller, in world: World) async throws {
        if number % 3 == 0 {
            let mine = try ConfigurationDocument.merging(#""a":1,"b":1,"m\#(number)":1"#, second: number)
            _ = try await world.merge(mine, for: device, on: world.servers[server])
        } else {
            _ = try await world.patch(#"{"m\#(number)":1}"#, for: device, on: server)
        }
    }

    @Test("A retried patch whose version was pruned gets 412 and is not applied twice")
    func emptiedGround() async throws {
        try await World.with { world in
            let devices = try await world.mergeItem()
            let patch = #"{"a":7,"modified_at":"2026-01-01T00:00:00Z"}"#
            #expect(try await world.patch(patch, for: devices[1]).version.number == 3)
            let later = try ConfigurationDocument.merging(#""a":9,"b":1"#, second: 90_000_000)
            _ = try await world.servers[0].update(WriteRule.id, later, .init(ifMatch: .any), for: devices[0]).get()
            try await world.sql("UPDATE configuration_versions SET document = NULL WHERE version < 4")
            do {
                _ = try await world.patch(patch, for: devices[1])
                Issue.record("it was patched")
            } catch CloudSyncError.conflict(let conflict) {
                #expect(conflict.reason == .versionMismatch)
                #expect(conflict.version?.number == 4)
            }
        }
    }
}

private actor Outcomes {
    var texts: Set<String> = []
    func add(_ bytes: [UInt8]) { texts.insert(String(decoding: bytes, as: UTF8.self)) }
}
