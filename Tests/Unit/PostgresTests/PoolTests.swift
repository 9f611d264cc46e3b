import Net
import TestSupport
import Testing
import Tracing

@testable import Postgres

@Suite("The connection pool on PostgreSQL", .timeLimit(.minutes(Patience.minutes(2))))
struct PoolTests {
    private static let one = Statement("SELECT 1")
    private static let sleep = Statement("SELECT pg_sleep($1::int / 1000.0)")
    private static let backend = Statement("SELECT pg_backend_pid()")

    private static func database() async throws -> String {
        try await onThread { try TestCluster.shared.get().makeDatabase() }
    }

    @Test("The pool never exceeds its limit of connections, and answers every batch")
    func bounded() async throws {
        try await withPool(try await Self.database(), connections: 3) { pool in
            let backends = await withTaskGroup(of: Int?.self) { group in
                for _ in 0..<60 {
                    group.addTask { (try? await pool.run([Self.backend(), Self.sleep(.int(5))]))?[0].first?.int(0) }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            #expect(backends.count == 60 && !backends.contains(nil))
            #expect((1...3).contains(Set(backends).count))
        }
    }

    @Test("The wait behind earlier batches of a connection counts as a wait, not as the batch's time")
    func waitBehindOthers() async throws {
        try await withPool(try await Self.database(), connections: 1, leases: 8) { pool in
            #expect(await outcome(pool, Self.one()) == .done)
            let times = await withTaskGroup(of: RequestRecord.Times.self) { group in
                for _ in 0..<2 {
                    group.addTask {
                        let record = RequestRecord()
                        _ = try? await pool.run([Self.sleep(.int(200))], share: "a", record: record)
                        return record.times
                    }
                }
                return await group.reduce(into: []) { $0.append($1) }.sorted { $0.databaseWaitNs < $1.databaseWaitNs }
            }
            #expect(times[0].databaseWaitNs < 150_000_000 && times[1].databaseWaitNs > 150_000_000)
            let mostNs = UInt64(Patience.ms(350)) * 1_000_000
            #expect(times.allSatisfy { (150_000_000...mostNs).contains($0.databaseNs) }, "\(times)")
            #expect(pool.statistics("read").waits.sumNs > 150_000_000)
        }
    }

    @Test("An account with a long batch under way leaves the other connection to others")
    func longBatch() async throws {
        try await withPool(try await Self.database(), connections: 2, leases: 8) { pool in
            // PostgreSQL's time for the account is known then.
            for _ in 0..<5 { _ = try await pool.run([Self.sleep(.int(30))], share: "a") }
            let tookMs = await withTaskGroup(of: UInt64?.self) { group in
                for _ in 0..<2 {
                    group.addTask {
                        _ = await outcome { () throws(DatabaseError) in
                            try await pool.run([Self.sleep(.int(1000))], share: "a")
                        }
                        return nil
                    }
                }
                group.addTask {
                    await EventLoop.current?.sleep(forMs: 50)
                    let startMs = Monotonic.nowMs()
                    _ = await outcome { () throws(DatabaseError) in try await pool.run([Self.one()], share: "b") }
                    return Monotonic.nowMs() - startMs
                }
                return await group.reduce(into: 0) { $0 += $1 ?? 0 }
            }
            #expect(tookMs < 700)
        }
    }

    @Test("Batches of one key never run concurrently, also with free connections")
    func keys() async throws {
        let read = Statement("SELECT n FROM counter")
        let write = Statement("UPDATE counter SET n = $1")
        try await withPool(try await Self.database(), connections: 4) { pool in
            _ = try await pool.run([Statement("CREATE TABLE counter AS SELECT 0 AS n")()])
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<20 {
                    group.addTask {
                        _ = try? await pool.withConnection(key: "a") { connection throws(DatabaseError) in
                            // A read and a write in two batches would lose counts if another batch came between them.
                            let n = try await connection.run([read()])[0].first?.int(0) ?? 0
                            return try await connection.run([write(.int(n + 1))])
                        }
                    }
                }
            }
            #expect(try await pool.run([read()])[0].first?.int(0) == 20)
        }
    }

    @Test("A request that waits too long is refused, and the others go on")
    func waitDeadline() async throws {
        try await withPool(try await Self.database(), connections: 1, waitMs: 150) { pool in
            try await eventually { await outcome(pool, Self.one()) == .done }
            await withTaskGroup(of: Outcome.self) { group in
                group.addTask { await outcome(pool, Self.sleep(.int(600))) }
                group.addTask { await outcome(pool, Self.sleep(.int(600))) }
                let outcomes = await group.reduce(into: []) { $0.append($1) }
                #expect(outcomes == [.unavailable, .done])
            }
            try await eventually { await outcome(pool, Self.one()) == .done }
        }
    }

    @Test("A request over the limit of waiters is refused at once")
    func queueFull() async throws {
        try await withPool(try await Self.database(), connections: 1, waitersMax: 3) { pool in
            #expect(await outcome(pool, Self.one()) == .done)
            await withTaskGroup(of: Outcome.self) { group in
                for _ in 0..<10 { group.addTask { await outcome(pool, Self.sleep(.int(100))) } }
                let outcomes = await group.reduce(into: []) { $0.append($1) }
                #expect(outcomes == Array(repeating: .unavailable, count: 6) + Array(repeating: .done, count: 4))
            }
        }
    }

    @Test("A killed connection fails its batch as lost and is replaced")
    func killed() async throws {
        let events = Events()
        try await withPool(try await Self.database(), connections: 1, leases: 4, events: events) { pool in
            let pid = try await pool.run([Self.backend()])[0].first?.int(0) ?? 0
            await withTaskGroup(of: Outcome.self) { group in
                for _ in 0..<3 { group.addTask { await outcome(pool, Self.sleep(.int(9000))) } }
                group.addTask {
                    let killing = try? await onThread {
                        try TestCluster.shared.get().execute("SELECT pg_terminate_backend(\(pid))")
                    }
                    return killing == nil ? .unavailable : .connectionLost
                }
                for await outcome in group { #expect(outcome == .connectionLost) }
            }
            #expect(await outcome(pool, Self.one()) == .done)
            #expect(try await pool.run([Self.backend()])[0].first?.int(0) != pid)
        }
        #expect(events.all == ["connectionLost"])
    }

    @Test("The pool recovers by itself after PostgreSQL is killed")
    func clusterKilled() async throws {
        let cluster = try await onThread { try TestCluster() }
        let events = Events()
        try await withPool(cluster.connectionString(), leases: 4, events: events) { pool in
            #expect(await outcome(pool, Self.one()) == .done)
            await withTaskGroup(of: Outcome.self) { group in
                group.addTask { await outcome(pool, Self.sleep(.int(9000))) }
                group.addTask { (try? await onThread { try cluster.kill() }) == nil ? .done : .connectionLost }
                for await outcome in group { #expect(outcome == .connectionLost) }
            }
            for _ in 0..<5 {
                let startMs = Monotonic.nowMs()
                // A connection that was just opened may be found lost.
                #expect([.unavailable, .connectionLost].contains(await outcome(pool, Self.one())))
                #expect(Monotonic.nowMs() - startMs < 3000)
            }
            try await onThread { try cluster.start() }
            let startMs = Monotonic.nowMs()
            try await eventually { await outcome(pool, Self.one()) == .done }
            #expect(Monotonic.nowMs() - startMs < 5000)
        }
        #expect(events.all.contains("connectionLost"))
        #expect(events.all.contains("connectFailed"))
    }

    @Test("Each failed try to connect is an event, and the first one for a reason is new")
    func sameFailure() async throws {
        let events = Events()
        try await withPool("host=/nowhere user=x dbname=y", events: events) { pool in
            for _ in 0..<4 { #expect(await outcome(pool, Self.one()) == .unavailable) }
        }
        #expect(events.all.count >= 4 && events.all.first == "connectFailed")
        #expect(events.all.dropFirst().allSatisfy { $0 == "connectFailed again" })
    }

    @Test("Closing the pool refuses waiters, breaks off running batches, and is no event")
    func closing() async throws {
        let events = Events()
        try await withPool(try await Self.database(), connections: 1, events: events) { pool in
            #expect(await outcome(pool, Self.one()) == .done)
            await withTaskGroup(of: Outcome.self) { group in
                group.addTask { await outcome(pool, Self.sleep(.int(9000))) }
                group.addTask { await outcome(pool, Self.sleep(.int(9000))) }
                group.addTask {
                    await EventLoop.current?.sleep(forMs: 30)
                    pool.close()
                    return await outcome(pool, Self.one())
                }
                let outcomes = await group.reduce(into: []) { $0.append($1) }
                #expect(outcomes.count { $0 == .unavailable } == 2)
                #expect(outcomes.count { $0 == .connectionLost } == 1)
            }
        }
        #expect(events.all == [])
    }
}
