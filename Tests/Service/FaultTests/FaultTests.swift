import Foundation
import TestSupport
import Testing

/// Faults under load: a real server with eight writers and four readers.
@Suite(.blocking, .serialized)
struct FaultTests {
    private static func newServer(_ more: [String] = []) async throws -> ServerProcess {
        try await onThread { try ServerProcess(["--registration", "open", "--signatures", "optional"] + more) }
    }

    private static func end(_ server: ServerProcess) async throws {
        #expect(try await onThread { try server.stop() } == 0, "the server stops cleanly afterwards")
    }

    /// Polls with a `last_sync` from before the failover, then with the `server_time` of the answer.
    private static func expectOneReset(by device: Device) throws {
        let first = try device.pull("last_sync=2026-01-01T00:00:00Z")
        #expect(first.json["reset"] as? Bool == true)
        #expect(try device.pull("last_sync=\(first.string("server_time"))").json["reset"] as? Bool == false)
    }

    private static func ms(since begin: ContinuousClock.Instant) -> Int {
        Int((ContinuousClock.now - begin) / .milliseconds(1))
    }

    @Test("PostgreSQL is killed under load: only 503 with Retry-After, and all is well within 10 s of its return")
    func postgresKilled() async throws {
        // Few connections, so that the load fails if a broken connection is not replaced.
        let server = try await Self.newServer(["--database-connections", "2"])
        let process = server.processID
        let load = try await Load.run(on: server) { observations in
            for round in 0..<Rounds.count(2, full: 10) {
                try observations.awaitWrites(40, seconds: 20)
                let killed = ContinuousClock.now
                try server.killPostgres(allProcesses: round % 2 == 1)
                try server.awaitPostgres()
                let backMs = Self.ms(since: killed)
                let returned = ContinuousClock.now
                // Each writer had one write in flight during the kill. One more write proves that the server answers
                // again.
                try observations.awaitWrites(Load.accounts * Load.writersPerAccount + 1, seconds: 10)
                report("PostgreSQL back after \(backMs) ms, nine writes \(Self.ms(since: returned)) ms later")
            }
            try observations.awaitWrites(40, seconds: 20)
        }
        #expect(server.processID == process && load.observations.refusals > 0, "the fault was felt, without a restart")
        load.expectProperAnswers("PostgreSQL killed")
        try await onThread { try load.expectConvergence("PostgreSQL killed") }
        report("\(load.observations.seen.answers), slowest \(load.observations.seen.slowestMs) ms")
        try await Self.end(server)
    }

    @Test("The server is killed under load and started again: every acknowledged write is there once")
    func serverKilled() async throws {
        let server = try await Self.newServer()
        let load = try await Load.run(on: server) { observations in
            for _ in 0..<Rounds.count(2, full: 10) {
                try observations.awaitWrites(40, seconds: 20)
                let database = try server.postmaster()
                try server.kill()
                let killed = ContinuousClock.now
                try server.start()
                let started = Self.ms(since: killed)
                try observations.awaitWrites(20, seconds: 10)
                #expect(try server.postmaster() == database, "PostgreSQL goes on and is adopted")
                report("server listening \(started) ms after SIGKILL, 20 writes after \(Self.ms(since: killed)) ms")
            }
            try observations.awaitWrites(40, seconds: 20)
        }
        let seen = load.observations.seen
        #expect(seen.improper == [] && !seen.broken.isEmpty, "the fault was felt")
        try await onThread { try load.expectConvergence("server killed") }
        report("\(seen.answers), \(seen.broken.count) broken connections")
        try await Self.end(server)
    }

    @Test("PostgreSQL stands still for a while: slow answers or 503, and nothing is lost")
    func postgresPaused() async throws {
        let server = try await Self.newServer(["--database-wait-ms", "1000"])
        // Longer than the time limit of a batch: the outcome of writes is unknown, and clients send them again.
        let pauses = Rounds.count(1, full: 2) == 1 ? [3] : [3, 25]
        let load = try await Load.run(on: server) { observations in
            for seconds in pauses {
                try observations.awaitWrites(40, seconds: 20)
                try server.pausePostgres(seconds: seconds)
                let begin = ContinuousClock.now
                try observations.awaitWrites(Load.accounts * Load.writersPerAccount + 1, seconds: 10)
                report("paused \(seconds) s, writes \(Self.ms(since: begin)) ms after it went on")
            }
            try observations.awaitWrites(40, seconds: 20)
        }
        #expect(load.observations.seen.slowestMs > 2500 || load.observations.refusals > 0, "the fault was felt")
        load.expectProperAnswers("PostgreSQL paused")
        try await onThread { try load.expectConvergence("PostgreSQL paused") }
        report("\(load.observations.seen.answers), slowest \(load.observations.seen.slowestMs) ms")
        try await Self.end(server)
    }

    @Test("A failover that loses nothing, under load: no reader by sync_token is reset, one by last_sync is, once")
    func failover() async throws {
        let server = try await Self.newServer()
        let load = try await Load.run(on: server) { observations in
            try observations.awaitWrites(40, seconds: 20)
            try server.administer("UPDATE neuroviews.lineage SET value = 'another cluster'")
            try server.administer(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename LIKE 'neuroviews%'"
            )
            try observations.awaitWrites(40, seconds: 20)
        }
        load.expectProperAnswers("failover")
        try await onThread { try load.expectConvergence("failover") }
        for account in load.accounts {
            #expect(account.read.map(\.resets) == [0, 0], "nothing was lost")
            try await onThread { try Self.expectOneReset(by: account.device) }
        }
        try await Self.end(server)
    }
}
