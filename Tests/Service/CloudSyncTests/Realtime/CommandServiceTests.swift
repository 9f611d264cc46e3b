import Glibc
import Net
import NeuroViewsJSON
import Postgres
import TestSupport
import Testing

@testable import CloudSync

/// The service of commands over a real database.
struct CommandServiceTests {
    private static func report() throws -> CommandResult {
        let data = Array(#"{"reply_to":"5d2f6a2c-3b7e-4a6d-9c1b-0f3e8d7a6b5c","status":"done"}"#.utf8)
        return CommandResult(try JSONParser.parse(data, policy: .requestBody), data: data)
    }

    @Test("A command that is refused for several targets spends its nonce")
    func ambiguous() async throws {
        try await HubScene.with { scene in
            let (world, hub) = (scene.world, scene.hubs[0])
            let callers = try await world.newAccount(devices: 3)
            for caller in callers.dropFirst() { _ = try await scene.socket(caller) }
            let service = CommandService(database: world.databases[0], hub: hub, counts: RealtimeCounts())
            let watch = try HubSocket(callers[0], hub, world.loops[1], .request)
            try await hub.open(watch.seat)
            let name = try await hub.ready(watch.seat)
            let body = Array(#"{"command":"zoom"}"#.utf8)
            let command = try RemoteCommand(body: body, try JSONParser.parse(body, policy: .requestBody))
            await #expect(throws: CloudSyncError.self) {
                try await service.send(command, from: watch.seat, named: name, for: callers[0].signing("nonce"))
            }
            #expect(try await world.sql("SELECT FROM nonces").count == 1)
        }
    }

    @Test("The seventeenth report of an account that is being stored is refused")
    func limit() async throws {
        try await HubScene.with { scene in
            let world = scene.world
            let account = try #require(AccountID(try await world.newAccount()[0].userID))
            let service = CommandService(database: world.databases[0], hub: scene.hubs[0], counts: RealtimeCounts())
            let report = try Self.report()
            let (held, over, refused) = (Counter(), Counter(), Counter())
            async let holder: Void = onThread { [address = world.connectionString] in
                let session = try BlockingSession(address)
                try session.execute("BEGIN; LOCK TABLE neuroviews.realtime_commands")
                held.add()
                while over.value == 0 { usleep(1000) }
                try session.execute("COMMIT")
            }
            try await eventually { held.value > 0 }
            let reports = (0..<17).map { _ in
                Task {
                    let isTaken = try await service.end(report, by: "camera", of: account)
                    if !isTaken { refused.add() }
                }
            }
            _ = try await happens(withinMs: 5000) { refused.value > 0 }
            over.add()
            for report in reports { try await report.value }
            try await holder
            #expect(refused.value == 1)
            #expect(try await service.end(report, by: "camera", of: account))
        }
    }

    @Test("A report that was not stored is an error")
    func lost() async throws {
        try await HubScene.with { scene in
            let world = scene.world
            let account = try #require(AccountID(try await world.newAccount()[0].userID))
            let service = CommandService(database: world.databases[0], hub: scene.hubs[0], counts: RealtimeCounts())
            let report = try Self.report()
            try await world.sql("ALTER TABLE realtime_commands RENAME TO away")
            await #expect(throws: (any Error).self) { try await service.end(report, by: "camera", of: account) }
        }
    }
}
