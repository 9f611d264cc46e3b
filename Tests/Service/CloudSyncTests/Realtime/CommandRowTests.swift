import CloudSync
import Net
import Postgres
import TestSupport
import Testing

@testable import CloudSync

/// The reading of commands' rows by the hub.
struct CommandRowTests {
    private static let id = "5d2f6a2c-3b7e-4a6d-9c1b-0f3e8d7a6b5c"

    /// Inserts a command for the first device of an account.
    private static func insert(
        _ caller: Caller,
        at server: RealtimeHub,
        endsInS seconds: Int,
        _ world: World
    ) async throws {
        try await world.sql(
            """
            INSERT INTO realtime_commands (user_id, id, digest, sender, target, server_id, deadline, message)
            VALUES ('\(caller.userID)', '\(id)', 'x', 'watch', 'device-1', '\(server.serverID)',
                now() + interval '\(seconds) seconds', '{"command":"capture_photo"}')
            """
        )
    }

    @Test("A command is delivered by the server in its row alone, and its outcome ends the wait at another one")
    func delivered() async throws {
        try await HubScene.with { scene in
            let callers = try await scene.world.newAccount(devices: 2)
            let notes = Locked<[CommandDelivery]>([])
            for hub in scene.hubs { hub.whenDelivered { _, delivery in notes.withLock { $0.append(delivery) } } }
            let sockets = [try await scene.socket(callers[0]), try await scene.socket(callers[0], at: 1)]
            let watch = try await scene.socket(callers[1], at: 1)
            try await Self.insert(callers[0], at: scene.hubs[0], endsInS: 30, scene.world)
            async let end = scene.hubs[1].outcome(of: Self.id, for: watch.seat, forMs: 60_000)
            for _ in 0..<3 { for hub in scene.hubs { hub.announce(.commands, of: watch.seat.account) } }
            try await eventually { notes.withLock { $0 } == [.written(speaksV2: true)] }
            let commands = sockets.map { socket in socket.texts.filter { $0.contains("remote_command") } }
            #expect(commands.map(\.count) == [1, 0])
            #expect(commands[0].first?.hasSuffix(#""data":{"command":"capture_photo"}}"#) == true)
            try await scene.world.sql("UPDATE realtime_commands SET outcome = 'done', result = '1', message = NULL")
            scene.hubs[1].announce(.commands, of: watch.seat.account)
            let found = try await end
            #expect(found == CommandEnd(outcome: "done", result: Array("1".utf8)))
        }
    }

    @Test("A request that waits for an outcome ends with its session")
    func endedSession() async throws {
        try await HubScene.with { scene in
            let caller = try await scene.world.newAccount()[0]
            let hub = scene.hubs[0]
            let watch = try HubSocket(caller, hub, scene.world.loops[1], .request)
            try await hub.open(watch.seat)
            _ = try await hub.ready(watch.seat)
            try await Self.insert(caller, at: scene.hubs[1], endsInS: 30, scene.world)
            let end = Task { try await hub.outcome(of: Self.id, for: watch.seat, forMs: 20_000) }
            try await scene.world.sql("UPDATE sessions SET ended_at = now() WHERE id = '\(caller.sessionID)'")
            hub.announce(.sessions, of: watch.seat.account)
            await #expect(throws: CloudSyncError.self) { try await end.value }
        }
    }

    @Test("A command has 30 seconds at most, also after the database's clock was set back by months")
    func clockSetBack() async throws {
        try await HubScene.with { scene in
            let caller = try await scene.world.newAccount()[0]
            try await Self.insert(caller, at: scene.hubs[1], endsInS: 10_000_000, scene.world)
            let access = CallerDatabase(scene.world.databases[0])
            let open: [OpenCommand] = try await access.background(
                RealtimeSQL.commands(.uuids([caller.userID]), .text(scene.hubs[1].serverID))
            )
            #expect(open.map(\.remainingMs) == [30_000])
            let found: [FoundCommand] = try await access.background(
                CommandSQL.find(.text(caller.userID), .text(Self.id), .bytes([]))
            )
            #expect(found.map(\.remainingMs) == [30_000])
        }
    }

    @Test("A command that nobody is left to end counts as a timeout")
    func expired() async throws {
        try await HubScene.with { scene in
            let caller = try await scene.world.newAccount()[0]
            let counts = RealtimeCounts()
            let service = CommandService(database: scene.world.databases[0], hub: scene.hubs[0], counts: counts)
            try await Self.insert(caller, at: scene.hubs[1], endsInS: -10, scene.world)
            for _ in 0..<2 { await scene.hubs[0].expire() }
            #expect(counts.outcomes.filter { $0.count > 0 }.map(\.outcome) == ["timeout"])
            #expect(counts.outcomes.map(\.count).reduce(0, +) == 1)
            withExtendedLifetime(service) {}
        }
    }

    @Test("A command past its deadline is not read, and gets its outcome from any server")
    func overdue() async throws {
        try await HubScene.with { scene in
            let caller = try await scene.world.newAccount()[0]
            let camera = try await scene.socket(caller)
            try await Self.insert(caller, at: scene.hubs[1], endsInS: -10, scene.world)
            let access = CallerDatabase(scene.world.databases[0])
            let account = camera.seat.account
            let open: [OpenCommand] = try await access.background(
                RealtimeSQL.commands(.uuids([account.text]), .text(scene.hubs[1].serverID))
            )
            #expect(open.isEmpty)
            for expected in [[account], []] {
                let ended: [AccountID] = try await access.background(RealtimeSQL.expire(.int(10)))
                #expect(ended == expected)
            }
            let outcome = try await scene.world.sql("SELECT outcome FROM realtime_commands WHERE message IS NULL")
            #expect(outcome.first?.text(0) == "timeout")
        }
    }
}
