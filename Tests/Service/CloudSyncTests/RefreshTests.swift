import CloudSync
import Postgres
import TestSupport
import Testing

/// Refreshes with the newest token and with older ones.
struct RefreshTests {
    private static let ended = "session-ended"
    private static let maker = "5e0c3a52-2c52-4b8e-9d0c-0d6f3a1b7c44"
    private static let other = "77777777-2c52-4b8e-9d0c-0d6f3a1b7c44"

    /// A refresh with the former token. The newest token was made by the attempt `made` and has the counter 2.
    private struct Row: Sendable {
        let made: String?
        let attempt: String?
        let ageS: Int
        let verdict: String

        init(_ made: String?, _ attempt: String?, after ageS: Int, _ verdict: String) {
            (self.made, self.attempt, self.ageS, self.verdict) = (made, attempt, ageS, verdict)
        }
    }

    private static let rows = [
        Row(maker, maker, after: 0, "2"), Row(maker, maker, after: 62, "2"), Row(maker, maker, after: 302, "2"),
        Row(maker, maker.uppercased(), after: 7 * 86400, "2"), Row(maker, maker, after: 80 * 86400, "2"),
        Row(maker, other, after: 58, "2"), Row(maker, other, after: 62, ended), Row(nil, other, after: 58, "2"),
        Row(nil, other, after: 62, ended), Row(maker, nil, after: 62, "2"), Row(maker, nil, after: 298, "2"),
        Row(maker, nil, after: 302, ended), Row(nil, nil, after: 298, "2"), Row(nil, nil, after: 302, ended),
    ]

    @Test("The former token gets the newest again or ends the session, by its attempt and the time")
    func table() async throws {
        try await World.with { world in
            let scene = try RefreshScene(world)
            for row in Self.rows {
                for isUsed in [false, true] {
                    let first = try await world.newAccount()[0]
                    let second = try await scene.refresh(first, row.made)
                    #expect(second.counter == 2)
                    try await scene.age(second, madeS: row.ageS, usedS: isUsed ? row.ageS : nil)
                    #expect(try await scene.verdict(first, row.attempt) == row.verdict, "\(row) \(isUsed)")
                    let isLive = row.verdict == "2"
                    let events = isLive ? [] : ["token-reused \(RefreshScene.home)"]
                    #expect(try await scene.events(first) == events, "\(row)")
                    #expect(try await scene.pull(second) == (isLive ? "good" : Self.ended), "\(row)")
                    #expect(try await scene.verdict(second, Self.other) == (isLive ? "3" : Self.ended), "\(row)")
                }
            }
        }
    }

    @Test("An older token ends the session, also by the attempt that made the newest one")
    func older() async throws {
        try await World.with { world in
            let scene = try RefreshScene(world)
            for attempt in [nil, Self.maker, Self.other] {
                let first = try await world.newAccount()[0]
                _ = try await scene.refresh(scene.refresh(first, Self.maker), Self.maker)
                #expect(try await scene.verdict(first, attempt) == Self.ended, "\(attempt ?? "none")")
            }
        }
    }

    @Test("An attempt of an earlier rotation counts as another one")
    func earlier() async throws {
        try await World.with { world in
            let scene = try RefreshScene(world)
            for (ageS, verdict) in [(58, "3"), (62, Self.ended)] {
                let second = try await scene.refresh(world.newAccount()[0], Self.maker)
                _ = try await scene.refresh(second, Self.other)
                try await scene.age(second, madeS: ageS)
                #expect(try await scene.verdict(second, Self.maker) == verdict)
            }
        }
    }

    @Test("Other requests accept the former token until 60 s after the newest was used and 5 minutes after it was made")
    func outdated() async throws {
        try await World.with { world in
            let scene = try RefreshScene(world)
            let rows: [(madeS: Int, usedS: Int?, verdict: String)] = [
                (0, nil, "good"), (298, nil, "good"), (302, nil, "token-outdated"), (100, 58, "good"),
                (100, 62, "token-outdated"), (302, 1, "token-outdated"),
            ]
            for row in rows {
                let first = try await world.newAccount()[0]
                let second = try await scene.refresh(first, Self.maker)
                try await scene.age(second, madeS: row.madeS, usedS: row.usedS)
                #expect(try await scene.pull(first) == row.verdict, "\(row)")
                #expect(try await scene.pull(first, at: 1) == row.verdict, "\(row)")
                #expect(try await scene.pull(second) == "good", "\(row)")
                #expect(try await scene.events(first).isEmpty, "\(row)")
            }
        }
    }

    @Test("A long answer goes on after its session got a newer token, and breaks off when the session ends")
    func longAnswers() async throws {
        try await World.with { world in
            let scene = try RefreshScene(world)
            let first = try await world.newAccount()[0]
            let server = world.servers[0]
            _ = try await server.create(Document("A", id: WriteRule.id, edited: 1).parsed(), for: first).get()
            let delta = try #require(try await server.delta(DeltaRequest(cursor: .none), for: first))
            let (export, _) = try await ExportService(database: world.databases[0]).begin(for: first, from: nil)
            try await scene.age(scene.refresh(first), madeS: 302, usedS: 302)
            #expect(try await scene.pull(first) == "token-outdated")
            var pages = try server.pages(.versions, of: delta, for: first)
            let page = try await pages.next()
            #expect(page != nil)
            let section = try #require(ExportSection.all.first)
            try await export.forEachPage(of: section) { #expect($0.count == 1) }
            try await world.sql("UPDATE sessions SET ended_at = now()")
            await #expect(throws: CloudSyncError.self) { try await export.forEachPage(of: section) { _ in } }
        }
    }

    /// A second answer with the newest token, after `ageS`.
    private struct Place: Sendable {
        let made, again: String?
        let attempt: String?
        var ageS = 30
        let isElsewhere: Bool
    }

    private static let places = [
        Place(made: "192.0.2.1", again: "192.0.2.2", attempt: other, isElsewhere: true),
        Place(made: "192.0.2.1", again: "192.0.2.2", attempt: nil, ageS: 200, isElsewhere: true),
        Place(made: "192.0.2.1", again: "192.0.2.2", attempt: maker, ageS: 86400, isElsewhere: false),
        Place(made: "192.0.2.1", again: "192.0.2.1", attempt: other, isElsewhere: false),
        Place(made: "2001:db8:1:1::1", again: "2001:db8:1:2::2", attempt: other, isElsewhere: false),
        Place(made: "2001:db8:1::1", again: "2001:db8:2::1", attempt: nil, isElsewhere: true),
        Place(made: nil, again: "192.0.2.2", attempt: other, isElsewhere: true),
        Place(made: nil, again: nil, attempt: other, isElsewhere: false),
    ]

    @Test("A second answer to another site is an event with mail, unless the same attempt asks")
    func elsewhere() async throws {
        try await World.with { world in
            let scene = try RefreshScene(world)
            for place in Self.places {
                let first = try await world.newAccount()[0]
                let second = try await scene.refresh(first, Self.maker, from: place.made)
                try await scene.age(second, madeS: place.ageS)
                #expect(try await scene.verdict(first, place.attempt, from: place.again) == "2", "\(place)")
                let events = place.isElsewhere ? ["token-elsewhere \(place.again ?? "unknown")"] : []
                #expect(try await scene.events(first) == events, "\(place)")
                let rows = try await world.sql("SELECT host(address) FROM sessions WHERE id = '\(first.sessionID)'")
                #expect(rows.first?.text(0) == place.again, "\(place)")
            }
        }
    }

    @Test("Second answers to other sites within an hour are one event of their session, with one mail")
    func elsewhereAgain() async throws {
        try await World.with { world in
            let scene = try RefreshScene(world)
            let sessions = try await world.newAccount(devices: 2)
            for first in sessions {
                _ = try await scene.refresh(first, Self.maker)
                for number in 8..<17 {
                    #expect(try await scene.verdict(first, Self.other, from: "192.0.2.\(number / 4)") == "2")
                    try await world.sql("UPDATE account_events SET mail_due = false")
                }
            }
            // Another hour may have begun in between.
            let shared = """
                SELECT sum(e.count)::int, (count(*) - count(DISTINCT date_trunc('hour', e.at)))::int,
                    (count(e.address) < count(*))::int
                FROM account_events e WHERE e.kind = 'token-elsewhere' GROUP BY e.session_id
                """
            let rows = try await world.sql(shared)
            #expect(rows.count == sessions.count)
            for index in 0..<rows.count { #expect((0..<3).map { rows[index].int($0) } == [9, 0, 1]) }
            #expect(try await scene.events(sessions[0]).isEmpty)
            try await world.sql("UPDATE account_events SET at = at - interval '1 hour'")
            #expect(try await scene.verdict(sessions[0], Self.other, from: "192.0.2.2") == "2")
            #expect(try await scene.events(sessions[0]) == ["token-elsewhere 192.0.2.2"])
        }
    }

    @Test("Concurrent refreshes with different attempts at two servers make one newest token, and all get it")
    func concurrent() async throws {
        try await World.with { world in
            let scene = try RefreshScene(world)
            let first = try await world.newAccount()[0]
            let attempts = (10..<30).map { "\(Self.maker.dropLast(2))\($0)" }
            let counters = try await withThrowingTaskGroup(of: Int.self) { group in
                for (number, attempt) in attempts.enumerated() {
                    group.addTask(executorPreference: world.loops[number / 2 % 2]) {
                        try await scene.refresh(first, attempt, at: number % 2).counter
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(counters == Array(repeating: 2, count: attempts.count))
            try await scene.age(first, madeS: 3600)
            let maker = try await world.sql("SELECT token_made_by FROM sessions").first?.text(0) ?? ""
            #expect(attempts.contains(maker))
            #expect(try await scene.verdict(first, maker) == "2")
            let another = try #require(attempts.first { $0 != maker })
            #expect(try await scene.verdict(first, another) == Self.ended)
        }
    }

    /// An open transaction. `@unchecked Sendable`: only one thread at a time uses it.
    private struct Holder: @unchecked Sendable { let session: BlockingSession }

    /// The verdict on a refresh that waits for the lock of its session, whose holder runs `statement` and commits.
    private static func verdict(
        _ scene: RefreshScene,
        _ caller: Caller,
        behind statement: String
    ) async throws -> String {
        let connectionString = scene.world.connectionString
        let winner = try await onThread {
            let holder = Holder(session: try BlockingSession(connectionString))
            try holder.session.execute("BEGIN; \(statement)")
            return holder
        }
        async let late = scene.verdict(caller, other)
        try await eventually {
            let waiting = "FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
            return try await scene.world.sql("SELECT \(waiting)").count == 1
        }
        try await onThread { _ = try winner.session.execute("COMMIT") }
        return try await late
    }

    @Test("A refresh that has waited for another one does not replace its attempt")
    func overtaken() async throws {
        try await World.with { world in
            let scene = try RefreshScene(world)
            let first = try await world.newAccount()[0]
            try await scene.age(first, madeS: 86400)
            let token = "'\(first.userID)', '\(first.sessionID)', 1"
            let rotate = "SELECT neuroviews.rotate_token(\(token), '\(Self.maker)', NULL, NULL)"
            #expect(try await Self.verdict(scene, first, behind: rotate) == "2")
            #expect(try await world.sql("SELECT token_made_by FROM sessions").first?.text(0) == Self.maker)
        }
    }

    @Test("A refresh that has waited for the end of its session makes no token")
    func endedMeanwhile() async throws {
        try await World.with { world in
            let scene = try RefreshScene(world)
            let first = try await world.newAccount()[0]
            let end = "UPDATE neuroviews.sessions SET ended_at = now() WHERE id = '\(first.sessionID)'"
            #expect(try await Self.verdict(scene, first, behind: end) == Self.ended)
            #expect(try await world.sql("SELECT counter FROM sessions").first?.int(0) == 1)
            #expect(try await scene.events(first).isEmpty)
        }
    }
}
