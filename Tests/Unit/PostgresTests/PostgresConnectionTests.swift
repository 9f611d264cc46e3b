import Net
import TestSupport
import Testing

@testable import Postgres

@Suite("A pipelined PostgreSQL connection", .timeLimit(.minutes(Patience.minutes(2))))
struct PostgresConnectionTests {
    private static let makeTable = Statement("CREATE TABLE t (n integer PRIMARY KEY)")
    private static let insert = Statement("INSERT INTO t VALUES ($1)")
    private static let count = Statement("SELECT count(*) FROM t")
    private static let echo = Statement("SELECT $1::int")

    @Test("A batch is executed as a whole or not at all")
    func atomic() async throws {
        try await withConnection { connection in
            _ = try await connection.run([Self.makeTable()])
            _ = try await connection.run([Self.insert(.int(1)), Self.insert(.int(2))])
            let refused = try await refusal {
                try await connection.run([Self.insert(.int(3)), Self.insert(.int(1)), Self.insert(.int(4))])
            }
            #expect(refused?.state == ServerRefusal.uniqueViolation)
            #expect(refused?.constraint == "t_pkey")
            #expect(try await connection.run([Self.count()])[0].first?.int(0) == 2)
        }
    }

    @Test("A batch without statements returns no results")
    func empty() async throws {
        try await withConnection { connection in
            let results = try await connection.run([])
            #expect(results.isEmpty)
        }
    }

    @Test("An error in a pipelined batch does not affect its neighbours")
    func neighbours() async throws {
        try await withConnection { connection in
            _ = try await connection.run([Self.makeTable()])
            let outcomes = await withTaskGroup(of: (Int, Bool).self) { group in
                for n in 0..<60 {
                    // Every third batch fails after it has inserted.
                    let steps = [Self.insert(.int(n))] + (n % 3 == 0 ? [Self.insert(.int(n))] : [])
                    group.addTask { (n, (try? await connection.run(steps)) != nil) }
                }
                return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
            }
            #expect((0..<60).allSatisfy { outcomes[$0] == ($0 % 3 != 0) })
            #expect(try await connection.run([Self.count()])[0].first?.int(0) == 40)
        }
    }

    @Test("A hundred concurrent reads get their own answers")
    func concurrentReads() async throws {
        try await withConnection { connection in
            await withTaskGroup(of: Void.self) { group in
                for n in 0..<100 {
                    group.addTask {
                        let rows = try? await connection.run([Self.echo(.int(n)), Self.echo(.int(-n))])
                        #expect(rows?.map { $0.first?.int(0) } == [n, -n])
                    }
                }
            }
        }
    }

    @Test("A statement is prepared once")
    func preparedOnce() async throws {
        let prepared = Statement("SELECT count(*), (SELECT count(*) FROM pg_prepared_statements) FROM pg_class")
        try await withConnection { connection in
            for _ in 0..<5 { #expect(try await connection.run([prepared(), prepared()])[1].first?.int(1) == 1) }
            _ = try await connection.run([Self.echo(.int(1))])
            #expect(try await connection.run([prepared()])[0].first?.int(1) == 2)
        }
    }

    @Test("A statement that can't be prepared is refused with the reason, and prepared later")
    func failingPrepare() async throws {
        let early = Statement("SELECT n FROM later")
        let make = Statement("CREATE TABLE later (n integer)")
        try await withConnection { connection in
            let states = await withTaskGroup(of: String?.self) { group in
                for _ in 0..<3 {
                    group.addTask { try? await refusal { try await connection.run([early()]) }?.state }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            #expect(states == ["42P01", "42P01", "42P01"])
            _ = try await connection.run([make()])
            #expect(try await connection.run([early()])[0].count == 0)
        }
    }

    @Test("statement_timeout ends a batch, not the connection")
    func statementTimeout() async throws {
        let sleep = Statement("SELECT pg_sleep(30)")
        try await withConnection(preparation: ["SET statement_timeout = 50"]) { connection in
            let refused = try await refusal { try await connection.run([sleep()]) }
            #expect(refused?.state == "57014")
            #expect(refused?.isTransient == true)
            #expect(try await connection.run([Self.echo(.int(7))])[0].first?.int(0) == 7)
        }
    }

    @Test("A server that does not answer by the batch's deadline counts as gone")
    func batchDeadline() async throws {
        let sleep = Statement("SELECT pg_sleep(30)")
        let losses = Locked<[String]>([])
        try await withConnection(batchTimeoutMs: 100) { reason in
            losses.withLock { $0.append(reason) }
        } _: { connection in
            // Deadlines use the loop's clock.
            let startedMs = EventLoop.current?.nowMs ?? 0
            #expect(
                await outcome { () throws(DatabaseError) in try await connection.run([sleep()]) } == .connectionLost
            )
            #expect((100..<10000).contains(Monotonic.nowMs() - startedMs))
            // The client sends nothing on a connection that is known to be lost.
            #expect(
                await outcome { () throws(DatabaseError) in try await connection.run([Self.echo(.int(1))]) }
                    == .unavailable
            )
        }
        #expect(losses.withLock { $0 } == ["no answer in time"])
    }

    @Test("A terminated connection fails all awaited answers as lost")
    func terminated() async throws {
        let sleep = Statement("SELECT pg_sleep(30), $1::int")
        let losses = Locked(0)
        try await withConnection { _ in
            losses.withLock { $0 += 1 }
        } _: { connection in
            let pid = try await connection.run([Statement("SELECT pg_backend_pid()")()])[0].first?.int(0) ?? 0
            await withTaskGroup(of: Bool.self) { group in
                for n in 0..<5 {
                    group.addTask {
                        await outcome { () throws(DatabaseError) in try await connection.run([sleep(.int(n))]) }
                            == .connectionLost
                    }
                }
                group.addTask {
                    let cluster = TestCluster.shared
                    return (try? await onThread { try cluster.get().execute("SELECT pg_terminate_backend(\(pid))") })
                        != nil
                }
                for await isAsExpected in group { #expect(isAsExpected) }
            }
        }
        #expect(losses.withLock { $0 } == 1)
    }
}
