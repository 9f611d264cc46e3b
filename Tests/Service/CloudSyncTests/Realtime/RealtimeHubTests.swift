import CloudSync
import Net
import Postgres
import Problems
import TestSupport
import Testing

@testable import CloudSync

/// The hub over a real database: notices, ends of sessions, and states of devices at two servers.
struct RealtimeHubTests {
    private static func document(_ name: String) throws -> ConfigurationDocument {
        try Document(name, id: WriteRule.id, edited: 1).parsed()
    }

    @Test("A write is announced to the account's sockets at both servers, after its commit")
    func notice() async throws {
        try await HubScene.with { scene in
            let callers = try await scene.world.newAccount(devices: 2)
            let (here, there) = (try await scene.socket(callers[0]), try await scene.socket(callers[1], at: 1))
            let written = try await scene.announcing.create(Self.document("A"), for: callers[0])
            let head = try #require(written.head).text
            try await eventually { here.texts.last?.contains(#""configurations":"\#(head)""#) == true }
            #expect(!there.texts.contains { $0.contains(head) })
            scene.carryHints(from: 0)
            try await eventually { there.texts.last?.contains(#""configurations":"\#(head)""#) == true }
        }
    }

    @Test("A server that is told of a write reads it, and is told of nothing else")
    func afterCommit() async throws {
        try await World.with { world in
            let caller = try await world.newAccount()[0]
            let seen = SeenChanges()
            let service = ConfigurationService(
                database: world.databases[0],
                devices: DeviceService(database: world.databases[0], now: { 0 }),
                work: World.work,
                overlapSeconds: 0,
                announce: { [address = world.connectionString] userID in
                    seen.read(userID, at: address)
                }
            )
            _ = try await service.create(Self.document("A"), for: caller)
            // A retry and a refused write store nothing.
            _ = try await service.create(Self.document("A"), for: caller)
            _ = try await service.create(Self.document("B"), for: caller)
            #expect(seen.seqs == [1])
        }
    }

    @Test("A lost hint costs a minute at most: each sweep reads all accounts")
    func sweep() async throws {
        try await HubScene.with { scene in
            let callers = try await scene.world.newAccount(devices: 2)
            let there = try await scene.socket(callers[1], at: 1)
            let written = try await scene.world.servers[0].create(Self.document("A"), for: callers[0])
            let head = try #require(written.head).text
            #expect(!there.texts.contains { $0.contains(head) })
            scene.hubs[1].busChanged(isConnected: true)
            try await eventually { there.texts.last?.contains(head) == true }
            #expect(await scene.hubs[1].statistics().repairs == 1)
        }
    }

    @Test("A hint of an ended session closes its sockets, and no other")
    func ended() async throws {
        try await HubScene.with { scene in
            let callers = try await scene.world.newAccount(devices: 2)
            let (gone, other) = (try await scene.socket(callers[0]), try await scene.socket(callers[1]))
            try await scene.world.sql("UPDATE sessions SET ended_at = now() WHERE id = '\(callers[0].sessionID)'")
            scene.hubs[0].announce(.sessions, of: gone.seat.account)
            try await eventually { gone.end == .sessionEnded }
            #expect(other.end == nil)
            #expect(await scene.hubs[0].statistics().sockets == 1)
        }
    }

    @Test("An outdated token closes its socket at the next sweep; the token before the newest does not")
    func outdated() async throws {
        try await HubScene.with { scene in
            let callers = try await scene.world.newAccount(devices: 2)
            let sockets = [try await scene.socket(callers[0]), try await scene.socket(callers[1])]
            for (caller, counter) in zip(callers, [2, 3]) {
                let made = "SET counter = \(counter), token_made_at = now(), confirmed_at = NULL"
                try await scene.world.sql("UPDATE sessions \(made) WHERE id = '\(caller.sessionID)'")
            }
            scene.hubs[0].busChanged(isConnected: true)
            try await eventually { sockets[1].end == .sessionEnded }
            #expect(sockets[0].end == nil)
        }
    }

    @Test("A session that ends between the seat and the read is not missed")
    func endedWhileOpening() async throws {
        try await HubScene.with { scene in
            let caller = try await scene.world.newAccount()[0]
            let socket = try HubSocket(caller, scene.hubs[0], scene.world.loops[1])
            try await scene.hubs[0].open(socket.seat)
            try await scene.world.sql("UPDATE sessions SET ended_at = now() WHERE id = '\(caller.sessionID)'")
            await #expect(throws: CloudSyncError.self) { try await scene.hubs[0].ready(socket.seat) }
        }
    }

    @Test("A device's status reaches the account's other server by its row, and ends with its server's beats")
    func acrossServers() async throws {
        try await HubScene.with { scene in
            let callers = try await scene.world.newAccount(devices: 2)
            let (camera, phone) = (try await scene.socket(callers[0]), try await scene.socket(callers[1], at: 1))
            camera.publish("device-1", #"{"battery":1.50e+0}"#, to: scene.hubs[0])
            let relayed =
                #"{"type":"device_status","from":"device-1","data":{"device_id":"device-1","status":{"battery":1.50e+0}}}"#
            try await eventually {
                scene.carryHints(from: 0)
                return phone.texts.last == relayed
            }
            let state = await scene.hubs[1].state(for: phone.seat)
            #expect(state.devices.map(\.serverID) == scene.hubs.map(\.serverID))
            let offline = String(decoding: RealtimeText.offline("device-1"), as: UTF8.self)
            // The last beat of a killed server is also from the future, after the database's clock was set back.
            for (beat, text) in [("- 21", offline), ("- 1", relayed), ("+ 3600", offline)] {
                let (time, server) = ("now() \(beat) * interval '1 second'", scene.hubs[0].serverID)
                try await scene.world.sql("UPDATE server_keys SET seen_at = \(time) WHERE server_id = '\(server)'")
                scene.hubs[1].busChanged(isConnected: true)
                try await eventually { phone.texts.last == text }
            }
        }
    }

    @Test("The server of a device's newest socket gets its commands")
    func newestServer() async throws {
        try await HubScene.with { scene in
            let caller = try await scene.world.newAccount()[0]
            let old = try await scene.socket(caller)
            let rows = "SELECT FROM realtime_devices WHERE device_id = 'device-1'"
            try await eventually { try await scene.world.sql(rows).count == 1 }
            _ = try await scene.socket(caller, at: 1)
            try await eventually {
                scene.carryHints(from: 1)
                return await scene.hubs[0].state(for: old.seat).devices.map(\.serverID) == [scene.hubs[1].serverID]
            }
        }
    }

    @Test("Rows of devices that a crash has emptied are written again after the next sweep")
    func lostRows() async throws {
        try await HubScene.with { scene in
            let caller = try await scene.world.newAccount()[0]
            _ = try await scene.socket(caller)
            let rows = "SELECT FROM realtime_devices WHERE device_id = 'device-1'"
            try await eventually { try await scene.world.sql(rows).count == 1 }
            try await scene.world.sql("TRUNCATE realtime_devices")
            scene.hubs[0].busChanged(isConnected: true)
            try await eventually { try await scene.world.sql(rows).count == 1 }
            await scene.hubs[0].stop()
            #expect(try await scene.world.sql(rows).count == 0)
        }
    }

    @Test("A wait for the state ends with the next status, and without one after its time")
    func waiting() async throws {
        try await HubScene.with { scene in
            let callers = try await scene.world.newAccount(devices: 2)
            let hub = scene.hubs[0]
            let camera = try await scene.socket(callers[0])
            let watch = try HubSocket(callers[1], hub, scene.world.loops[1], .request)
            try await hub.open(watch.seat)
            #expect(try await hub.ready(watch.seat) == "device-2")
            let before = await hub.state(for: watch.seat)
            #expect(await hub.state(for: watch.seat, after: before.version, forMs: 1).version == before.version)
            async let after = hub.state(for: watch.seat, after: before.version, forMs: 60_000)
            camera.publish("device-1", "1", to: hub)
            let state = await after
            #expect(state.devices.first?.status != nil)
            await hub.left(watch.seat)
            #expect(await hub.statistics().requests == 0)
        }
    }

    @Test("A request gives up its seat before its answer, also while the account's loop is busy")
    func left() async throws {
        try await HubScene.with { scene in
            let (world, hub) = (scene.world, scene.hubs[0])
            let watch = try HubSocket(try await world.newAccount()[0], hub, world.loops[0], .request)
            try await hub.open(watch.seat)
            let home = world.loops[watch.seat.account.place(among: world.loops.count)]
            let (free, left) = (Counter(), Counter())
            home.call { while free.value == 0 { pauseThread(ms: 1) } }
            let leaving = Task {
                await hub.left(watch.seat)
                left.add()
            }
            // An answer that does not wait for the seat would be there by now.
            let isEarly = try await happens(withinMs: 100) { left.value > 0 }
            free.add()
            await leaving.value
            #expect(!isEarly)
        }
    }
}

/// The newest change of an account that another connection sees, each time that it is told of one.
private final class SeenChanges: Sendable {
    private let found = Locked<[Int?]>([])

    var seqs: [Int?] { found.withLock { $0 } }

    func read(_ userID: String, at address: String) {
        let sql = "SELECT max(seq) FROM neuroviews.configurations WHERE user_id = '\(userID)'"
        do {
            let seq = try BlockingSession(address).execute(sql).first?.int(0)
            found.withLock { $0.append(seq) }
        } catch {
            Issue.record(error)
        }
    }
}
