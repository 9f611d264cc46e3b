import CloudSync
import JSON
import JSONSchema
import TestSupport
import Testing

/// Merging and patching across transactions: what must hold when one of them does not happen, or others come between.
struct MergeServiceTests {
    private static let anything = try? rules("{}")

    private static func rules(_ schema: String, maxBytes: Int = 1 << 20) throws -> DocumentRules {
        let schema = try Schema(compiling: JSONParser.parse(Array(schema.utf8), policy: .rfc8259))
        return DocumentRules(schema: schema, maxBytes: maxBytes)
    }

    private func document(_ members: String, second: Int) throws -> ConfigurationDocument {
        let time = Timestamp(seconds: 1_700_000_000 + second).text
        let bytes = Array(#"{"id":"\#(WriteRule.id)",\#(members),"modified_at":"\#(time)"}"#.utf8)
        let value = try JSONParser.parse(bytes, policy: .requestBody)
        return try #require(ConfigurationDocument(text: bytes[...], value: value))
    }

    private func json(_ text: String) throws -> JSONValue {
        try JSONParser.parse(Array(text.utf8), policy: .requestBody)
    }

    /// An item with that base and their edit in version 2.
    private func item(
        _ world: World,
        base: String = #""a":1,"b":1"#,
        theirs: String = #""a":2,"b":1"#
    ) async throws -> [Caller] {
        let callers = try await world.newAccount(devices: 2)
        _ = try await world.servers[0].create(document(base, second: 0), for: callers[0])
        let conditions = WriteConditions(ifMatch: .versions([1]))
        _ = try await world.servers[0].update(WriteRule.id, document(theirs, second: 10), conditions, for: callers[0])
        return callers
    }

    private func merge(
        _ server: ConfigurationService,
        _ document: ConfigurationDocument,
        for caller: Caller,
        _ rules: DocumentRules? = anything
    ) async throws -> MadeConfiguration? {
        let result = try await server.update(
            WriteRule.id,
            document,
            WriteConditions(ifMatch: .versions([1])),
            mergingBy: #require(rules),
            for: caller
        )
        if case .merged(let made) = result { return made }
        return nil
    }

    private func text(_ made: MadeConfiguration?) -> String { String(decoding: made?.text ?? [], as: UTF8.self) }

    private static let failing = """
        CREATE FUNCTION public.fail() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN RAISE EXCEPTION 'undone' USING ERRCODE = '40001'; END $$;
        CREATE CONSTRAINT TRIGGER fail AFTER INSERT ON configuration_versions
        DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION public.fail()
        """

    private func records(_ world: World) async throws -> Int {
        try await world.sql("SELECT count(*) FROM configuration_merges").first?.int(0) ?? -1
    }

    @Test("A merge that ends before its write is completed by the retry, which signs anew; its nonce is gone")
    func endsBetween() async throws {
        try await World.with { world in
            let phone = try await item(world)[1]
            let mine = try document(#""a":1,"b":5"#, second: 5)
            try await world.sql(Self.failing)
            await #expect(throws: CloudSyncError.self) {
                try await merge(world.servers[0], mine, for: phone.signing("1"))
            }
            try await world.sql("DROP TRIGGER fail ON configuration_versions")
            #expect(try await records(world) == 1)
            #expect(try await world.servers[1].get(WriteRule.id, for: phone).version == 2)
            await #expect(throws: CloudSyncError.self) {
                try await merge(world.servers[1], mine, for: phone.signing("1"))
            }
            let first = try await merge(world.servers[1], mine, for: phone.signing("2"))
            #expect(first?.version == 3)
            #expect(text(first).contains(#""a":2,"b":5"#))
            let again = try await merge(world.servers[0], mine, for: phone)
            #expect(text(again) == text(first))
            #expect(again?.version == 3)
            #expect(try await records(world) == 1)
        }
    }

    @Test("What others wrote between the end and the retry is merged, too; a record of what never was harms nobody")
    func othersBetween() async throws {
        try await World.with { world in
            let devices = try await item(world)
            let mine = try document(#""a":1,"b":5"#, second: 5)
            let patch = try json(#"{"c":7,"modified_at":"2026-01-01T00:00:00Z"}"#)
            let rules = try Self.rules("{}")
            try await world.sql(Self.failing)
            await #expect(throws: CloudSyncError.self) { try await merge(world.servers[0], mine, for: devices[1]) }
            await #expect(throws: CloudSyncError.self) {
                try await world.servers[0].patch(WriteRule.id, patch, by: rules, for: devices[1])
            }
            try await world.sql("DROP TRIGGER fail ON configuration_versions")
            let between = try document(#""a":2,"b":1,"d":1"#, second: 20)
            let receipt = try await world.servers[0].update(WriteRule.id, between, for: devices[0])
            #expect(receipt.version == 3)
            let merged = try await merge(world.servers[0], mine, for: devices[1])
            #expect(merged?.version == 4)
            #expect(text(merged).contains(#""a":2,"b":5,"#))
            let patched = try await world.servers[1].patch(WriteRule.id, patch, by: rules, for: devices[1])
            #expect(patched.version == 5)
            for (name, value) in [("a", 2), ("b", 5), ("c", 7), ("d", 1)] {
                #expect(text(patched).contains("\"\(name)\":\(value)"))
            }
            for _ in 0..<2 {
                #expect(try await merge(world.servers[1], mine, for: devices[1])?.text == merged?.text)
                let again = try await world.servers[0].patch(WriteRule.id, patch, by: rules, for: devices[1])
                #expect(again.text == patched.text)
            }
            #expect(try await world.servers[0].get(WriteRule.id, for: devices[0]).version == 5)
        }
    }

    @Test("Whoever comes first, the same document comes of it")
    func symmetric() async throws {
        let edits = [(#""a":2,"b":1,"x":1"#, 10), (#""a":3,"b":7,"y":1"#, 20)]
        let outcomes = Outcomes()
        for order in [[0, 1], [1, 0]] {
            try await World.with { world in
                let device = try await world.newAccount()[0]
                _ = try await world.servers[0].create(document(#""a":1,"b":1"#, second: 0), for: device)
                for index in order {
                    let edit = try document(edits[index].0, second: edits[index].1)
                    _ = try await merge(world.servers[index], edit, for: device)
                }
                await outcomes.add(try await world.servers[0].get(WriteRule.id, for: device).document)
                let state = try await FinalState(of: device.userID, in: world)
                #expect(state.irregularities == [], "what lost is counted")
            }
        }
        #expect(await outcomes.texts.count == 1)
        #expect(await outcomes.texts.first?.contains(#""a":3,"b":7"#) == true)
    }

    @Test("A merge that would break the schema, or be too large, is no merge: 412 as without the preference")
    func invalidOutcome() async throws {
        try await World.with { world in
            let phone = try await item(world, theirs: #""a":1,"b":1,"c":1"#)[1]
            let mine = try document(#""a":1,"b":1,"d":1"#, second: 5)
            let small = try Self.rules("{}", maxBytes: 80)
            for rules in [try Self.rules(#"{"maxProperties":5}"#), small] {
                do {
                    _ = try await merge(world.servers[0], mine, for: phone, rules)
                    Issue.record("it was merged")
                } catch CloudSyncError.conflict(let conflict) {
                    #expect(conflict.reason == .versionMismatch)
                    #expect(conflict.version == 2)
                }
            }
            #expect(try await records(world) == 0)
            #expect(try await merge(world.servers[0], mine, for: phone)?.version == 3)
        }
    }

    @Test("Without room for what loses, nothing is merged: the quota says so")
    func noRoom() async throws {
        try await World.with(quotas: AccountQuotas(historyMaxBytes: 1500)) { world in
            let callers = try await item(world)
            let mine = try document(#""a":3,"b":1,"long":"\#(String(repeating: "x", count: 1000))""#, second: 5)
            await #expect {
                _ = try await merge(world.servers[0], mine, for: callers[1])
            } throws: { error in
                guard case CloudSyncError.quotaExceeded(let excess) = error else { return false }
                return excess.quota == .historyBytes
            }
            #expect(try await world.servers[0].get(WriteRule.id, for: callers[0]).version == 2)
            #expect(try await FinalState(of: callers[0].userID, in: world).irregularities == [])
        }
    }

    @Test("What loses in a merge and found no room the first time is kept by the retry")
    func roomForTheRetry() async throws {
        try await World.with(quotas: AccountQuotas(historyMaxBytes: 1000)) { world in
            let callers = try await item(world)
            let mine = try document(#""a":3,"b":1,"long":"\#(String(repeating: "x", count: 1000))""#, second: 5)
            await #expect(throws: CloudSyncError.self) { try await merge(world.servers[0], mine, for: callers[1]) }
            #expect(try await records(world) == 1)
            #expect(try await FinalState(of: callers[0].userID, in: world).losers.isEmpty)
            let roomy = world.server(DeltaLimits())
            for _ in 0..<2 { #expect(try await merge(roomy, mine, for: callers[1])?.version == 3) }
            let state = try await FinalState(of: callers[0].userID, in: world)
            #expect(state.losers.map { $0.contains(#""a":3"#) } == [true])
            #expect(state.irregularities == [])
        }
    }

    @Test("A pointer of more than 1,000 bytes is not named: 412 as without the preference")
    func longPointer() async throws {
        try await World.with { world in
            let name = String(repeating: "n", count: 1001)
            let phone = try await item(world, base: #""\#(name)":1"#, theirs: #""\#(name)":2"#)[1]
            let mine = try document(#""\#(name)":3"#, second: 5)
            await #expect(throws: CloudSyncError.self) { try await merge(world.servers[0], mine, for: phone) }
            #expect(try await records(world) == 0)
        }
    }

    @Test("A session that has ended merges and patches nothing")
    func endedSession() async throws {
        try await World.with { world in
            let phone = try await item(world)[1]
            try await world.sql("UPDATE sessions SET ended_at = now() WHERE id = '\(phone.sessionID)'")
            let mine = try document(#""a":1,"b":5"#, second: 5)
            let rules = try Self.rules("{}")
            for caller in [phone, phone.signing("1")] {
                await #expect(throws: CloudSyncError.self) { try await merge(world.servers[0], mine, for: caller) }
                await #expect(throws: CloudSyncError.self) {
                    try await world.servers[0].patch(WriteRule.id, json(#"{"a":9}"#), by: rules, for: caller)
                }
            }
            #expect(try await records(world) == 0)
            #expect(try await world.sql("SELECT FROM nonces").count == 0)
        }
    }

    @Test("30 patches and merges at once, on two servers: nothing is lost, and the history has one version each")
    func parallel() async throws {
        try await World.with { world in
            let devices = try await item(world)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<30 {
                    group.addTask(executorPreference: world.loops[number / 2 % 2]) {
                        try await compete(number, world.servers[number % 2], devices[number % 2])
                    }
                }
                try await group.waitForAll()
            }
            let end = try await world.servers[0].get(WriteRule.id, for: devices[0])
            #expect(end.version == 32)
            let document = try JSONParser.parse(end.document, policy: .requestBody)
            for number in 0..<30 { #expect(document["m\(number)"] != nil, "\(number)") }
            let state = try await FinalState(of: devices[0].userID, in: world)
            #expect(state.irregularities == [])
        }
    }

    @Test("Of two that have both read the version they were made from, the second one merges")
    func bothRead() async throws {
        try await World.with { world in
            let devices = try await world.newAccount(devices: 2)
            _ = try await world.servers[0].create(document(#""a":1,"b":1"#, second: 0), for: devices[0])
            // Each commit takes so long that the other has read before it.
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
                        try await compete(number * 3, world.servers[number], devices[number])
                    }
                }
                try await group.waitForAll()
            }
            let end = try await world.servers[0].get(WriteRule.id, for: devices[0])
            #expect(end.version == 3)
            let text = String(decoding: end.document, as: UTF8.self)
            #expect(text.contains("m0") && text.contains("m3"))
        }
    }

    /// Adds a member of its own, by a merge or a patch.
    private func compete(_ number: Int, _ server: ConfigurationService, _ device: Caller) async throws {
        if number % 3 == 0 {
            let mine = try document(#""a":1,"b":1,"m\#(number)":1"#, second: number)
            _ = try await merge(server, mine, for: device)
        } else {
            let patch = try json(#"{"m\#(number)":1}"#)
            _ = try await server.patch(WriteRule.id, patch, by: Self.rules("{}"), for: device)
        }
    }

    @Test("A patch that retention has taken the ground from: 409 with the current document, not a second time")
    func emptiedGround() async throws {
        try await World.with { world in
            let devices = try await item(world)
            let patch = try json(#"{"a":7,"modified_at":"2026-01-01T00:00:00Z"}"#)
            let (server, rules) = (world.servers[0], try Self.rules("{}"))
            #expect(try await server.patch(WriteRule.id, patch, by: rules, for: devices[1]).version == 3)
            let later = try document(#""a":9,"b":1"#, second: 90_000_000)
            _ = try await server.update(WriteRule.id, later, WriteConditions(ifMatch: .any), for: devices[0])
            try await world.sql("UPDATE configuration_versions SET document = NULL WHERE version < 4")
            do {
                _ = try await server.patch(WriteRule.id, patch, by: rules, for: devices[1])
                Issue.record("it was patched")
            } catch CloudSyncError.conflict(let conflict) {
                #expect(conflict.reason == .editedLater)
                #expect(conflict.version == 4)
            }
        }
    }
}

private actor Outcomes {
    var texts: Set<String> = []
    func add(_ bytes: [UInt8]) { texts.insert(String(decoding: bytes, as: UTF8.self)) }
}
