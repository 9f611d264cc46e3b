import Foundation
import TestSupport
import Testing

@Suite("An export of 200 MB", .inFull, .blocking, .serialized, .timeLimit(.minutes(Patience.minutes(4))))
struct LargeExportTests {
    private static let path = "/v2/account/export"
    private static let account = Result {
        let account = try LargeAccount()
        try account.fill(items: 22_300, documentBytes: 10_000)
        // The first request of the new session.
        _ = try account.device.pull("limit=1")
        return account
    }

    /// Renews the session's login time, because minutes may have passed since the login.
    private func fresh() throws -> LargeAccount {
        let account = try Self.account.get()
        try account.server.sql("UPDATE sessions SET proven_at = now()")
        return account
    }

    @Test("An export of 200 MB is complete, and the server's memory grows by less than 8 MiB")
    func constantMemory() throws {
        let account = try fresh()
        let figures = ProcessFigures(account.server.processID)
        let beforeKiB = figures.residentKiB
        figures.forgetPeak()
        let begin = ContinuousClock.now
        let pull = try account.beginPull(path: Self.path)
        pull.read()
        #expect(pull.isWhole && pull.bytes > 200_000_000)
        let growthKiB = figures.peakResidentKiB - beforeKiB
        #expect(growthKiB < 8 << 10 || !ProcessFigures.tellMemory)
        print("export: \(pull.bytes / 1_000_000) MB in \(ContinuousClock.now - begin), peak +\(growthKiB) KiB")
    }

    @Test("Slow readers of nine accounts do not block another export")
    func manySlowReaders() throws {
        let account = try fresh()
        var pulls: [LargePull] = []
        for _ in 0..<9 {
            let device = try Device.new(account.server.client)
            for table in ["configurations", "configuration_versions"] {
                try account.server.sql(
                    """
                    INSERT INTO \(table)
                    SELECT (jsonb_populate_record(NULL::\(table), to_jsonb(c) || '{"user_id": "\(device.userID)"}')).*
                    FROM \(table) c WHERE user_id = '\(account.device.userID)' AND seq <= 1200
                    """
                )
            }
            let socket = try RawSocket(
                port: account.server.client.port,
                limitMs: Patience.ms(60000),
                receiveBufferBytes: 65536
            )
            try socket.send("GET \(Self.path) HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer \(device.token)\r\n\r\n")
            let pull = LargePull(socket)
            pull.read(to: 100_000)
            #expect(!pull.hasEnded && !pull.isWhole)
            pulls.append(pull)
        }
        #expect(try Device.new(account.server.client).export().status == 200)
        for pull in pulls { pull.socket.close() }
    }

    @Test("A slow reader holds no database connection, and an account has one export at a time")
    func slowReader() throws {
        let account = try fresh()
        let pull = try account.beginPull(path: Self.path)
        for round in 1...4 {
            pull.read(to: round * 1_000_000)
            // PostgreSQL sees no open transaction of any of the server's pools.
            let open =
                "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'neuroviews-server' AND state <> 'idle'"
            try Deadline.wait("no transaction", seconds: 10) { try account.server.sql(open) == ["0"] }
        }
        let second = try account.device.export()
        #expect(second.verdict == "503 overloaded" && second.field("retry-after") != nil)
        #expect(try account.device.pull("limit=10").status == 200)
        let other = try Device.new(account.server.client)
        #expect(try other.export().status == 200)
        // A client that disconnects frees its seat.
        pull.socket.close()
        let next = try fresh()
        var again: LargePull?
        try Deadline.wait("a seat", seconds: 20) {
            let pull = try next.beginPull(path: Self.path)
            pull.read(to: 2000)
            again = pull
            return !pull.isWhole
        }
        // A client gets no more of the export after the end of its session.
        try account.server.sql("UPDATE sessions SET ended_at = now() WHERE id = '\(account.device.sessionID)'")
        again?.read()
        #expect(again?.hasEnded == true && again?.isWhole == false)
        try account.server.sql("UPDATE sessions SET ended_at = NULL WHERE id = '\(account.device.sessionID)'")
    }
}
