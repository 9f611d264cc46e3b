import CloudSync
import Problems
import TestSupport
import Testing

/// The first checks of every transaction: the session, its user, and the nonce of a signed write.
struct SessionTests {
    /// Nil if the write succeeded.
    private static func failure(
        _ write: () async throws -> WriteReceipt
    ) async throws -> ProblemType? {
        do {
            _ = try await write()
            return nil
        } catch CloudSyncError.unauthenticated(let failure) {
            return failure
        }
    }

    private static func document(_ name: String, edited: Int = 1) throws -> ConfigurationDocument {
        try Document(name, id: WriteRule.id, edited: edited).parsed()
    }

    @Test("An ended session can neither read nor write at any server")
    func endedSession() async throws {
        try await World.with { world in
            let caller = try await world.newAccount()[0]
            for server in world.servers { _ = try await server.delta(DeltaRequest(cursor: .none), for: caller) }
            try await world.sql("UPDATE sessions SET ended_at = now() WHERE id = '\(caller.sessionID)'")
            for server in world.servers {
                let write = try await Self.failure { try await server.create(Self.document("A"), for: caller).get() }
                #expect(write == .sessionEnded)
                await #expect(throws: CloudSyncError.self) {
                    try await server.delta(DeltaRequest(cursor: .none), for: caller)
                }
            }
            #expect(try await FinalState(of: caller.userID, in: world).replica.items.isEmpty)
        }
    }

    @Test("20 concurrent writes with one nonce at two servers: one is accepted and stored")
    func nonceOnce() async throws {
        try await World.with { world in
            let account = try await world.newAccount()[0]
            let failures = try await withThrowingTaskGroup(of: ProblemType?.self) { group in
                for number in 0..<20 {
                    let id = "\(WriteRule.id.dropLast(2))\(10 + number)"
                    let document = try Document("A", id: id, edited: 1).parsed()
                    let caller = account.signing("once")
                    group.addTask(executorPreference: world.loops[number / 2 % 2]) {
                        try await Self.failure {
                            try await world.servers[number % 2].create(document, for: caller).get()
                        }
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(failures.count { $0 == nil } == 1)
            #expect(failures.count { $0 == .nonceUsed } == 19)
            #expect(try await FinalState(of: account.userID, in: world).replica.items.count == 1)
        }
    }

    @Test("A signed write that the database rolled back leaves its nonce unused")
    func nonceOfFailedWrite() async throws {
        try await World.with { world in
            let caller = try await world.newAccount()[0].signing("undone")
            try await world.sql(
                """
                CREATE FUNCTION public.fail() RETURNS trigger LANGUAGE plpgsql AS $$
                BEGIN RAISE EXCEPTION 'undone' USING ERRCODE = '40001'; END $$;
                CREATE CONSTRAINT TRIGGER fail AFTER INSERT ON configuration_versions
                DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION public.fail()
                """
            )
            await #expect(throws: CloudSyncError.self) {
                try await world.servers[0].create(Self.document("A"), for: caller).get()
            }
            try await world.sql("DROP TRIGGER fail ON configuration_versions")
            #expect(try await world.servers[1].create(Self.document("A"), for: caller).get().version.number == 1)
            #expect(try await world.sql("SELECT FROM nonces").count == 1, "the write that went through uses it up")
        }
    }

    @Test("The nonce of a refused write is used up, and is free for another second or session")
    func nonceOfRefusedWrite() async throws {
        try await World.with { world in
            let devices = try await world.newAccount(devices: 2)
            let (phone, server) = (devices[0], world.servers[0])
            _ = try await server.create(Self.document("A"), for: phone.signing("1")).get()
            await #expect(throws: CloudSyncError.self) {
                try await server.create(Self.document("B"), for: phone.signing("2")).get()
            }
            let again = try await Self.failure {
                try await server.create(Self.document("A"), for: phone.signing("2")).get()
            }
            #expect(again == .nonceUsed)
            let others = [phone.signing("2", at: Caller.signingSecond + 1), devices[1].signing("2")]
            for caller in others {
                #expect(
                    try await Self.failure { try await server.create(Self.document("A"), for: caller).get() } == nil
                )
            }
        }
    }

    @Test("A nonce is accepted and swept by the database's clock")
    func nonceRing() async throws {
        try await World.with { world in
            let caller = try await world.newAccount()[0]
            for (number, offset) in [-1000, 1000].enumerated() {
                // Uses the current time: `signingSecond` may be minutes old.
                let late = caller.signing("far", at: WallClock.nowS() + offset)
                let id = "\(WriteRule.id.dropLast(2))2\(number)"
                let document = try Document("A", id: id, edited: 1).parsed()
                await #expect(throws: CloudSyncError.self) {
                    try await world.servers[0].create(document, for: late).get()
                }
            }
            _ = try await world.servers[0].create(Self.document("A"), for: caller.signing("near")).get()
            // Half an hour ago is two partitions away, in the partition furthest from the current time.
            try await world.sql(
                """
                INSERT INTO nonces SELECT (t / 900) % 4, gen_random_uuid(), gen_random_uuid(), t, 'old'
                FROM (SELECT extract(epoch FROM now())::bigint - 1800 AS t) old
                """
            )
            try await world.sweep("old nonces")
            let rows = try await world.sql("SELECT nonce FROM nonces")
            #expect((0..<rows.count).map { rows[$0].text(0) } == ["near"])
        }
    }

    @Test("Another user's item is neither found nor listed, and its id can be used")
    func otherUser() async throws {
        try await World.with { world in
            let owner = try await world.newAccount()[0]
            let stranger = try await world.newAccount()[0]
            let server = world.servers[0]
            _ = try await server.create(Self.document("A"), for: owner).get()
            for write in 0..<3 {
                await #expect(throws: CloudSyncError.self) {
                    switch write {
                    case 0: _ = try await server.get(WriteRule.id.lowercased(), for: stranger)
                    case 1: _ = try await server.delete(WriteRule.id.lowercased(), for: stranger).get()
                    default: _ = try await server.update(WriteRule.id, Self.document("B"), for: stranger).get()
                    }
                }
            }
            #expect(try await server.delta(DeltaRequest(cursor: .none), for: stranger)?.count == 0)
            #expect(try await server.create(Self.document("B"), for: stranger).get().version.number == 1)
            #expect(try await FinalState(of: owner.userID, in: world).replica.items.count == 1)
        }
    }
}
