import CloudSync
import Net
import Postgres
import TestSupport
import Testing

/// Concurrent locks on devices and sessions, on two servers. The sessions were unused for more than an hour, so each
/// request updates its session's row.
@Suite(.serialized)
struct DeviceLockTests {
    /// An open transaction. `@unchecked Sendable`: only one thread at a time uses it.
    private struct Holder: @unchecked Sendable { let session: BlockingSession }

    /// Locks devices until `ROLLBACK`.
    private static func hold(_ devices: [String], _ world: World) async throws -> Holder {
        try await onThread { [connectionString = world.connectionString] in
            let holder = Holder(session: try BlockingSession(connectionString))
            let names = devices.map { "'\($0)'" }.joined(separator: ", ")
            try holder.session.execute("BEGIN; SELECT FROM neuroviews.devices WHERE id IN (\(names)) FOR UPDATE")
            return holder
        }
    }

    private static func release(_ holder: Holder) async throws {
        try await onThread { _ = try holder.session.execute("ROLLBACK") }
    }

    /// Waits until `count` transactions of the database wait for a lock.
    private static func wait(untilWaiting count: Int, _ world: World) async throws {
        let others = "FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
        try await wait(for: "\(count) that wait", "SELECT count(*) = \(count) \(others)", world)
    }

    /// Waits until a query returns true.
    private static func wait(for what: String, _ query: String, _ world: World) async throws {
        try await onThread { [connectionString = world.connectionString] in
            let session = try BlockingSession(connectionString)
            try Deadline.wait(what, seconds: 10) { try session.execute(query).first?.bool(0) == true }
        }
    }

    /// Creates two sessions of an account, on `device-1` and `device-2`, last used two hours ago.
    private static func sessions(_ world: World) async throws -> [Caller] {
        let callers = try await world.newAccount(devices: 2)
        try await world.sql(
            """
            INSERT INTO devices (user_id, id) SELECT user_id, device_id FROM sessions;
            UPDATE sessions SET last_used_at = now() - interval '2 hours'
            """
        )
        return callers
    }

    private static func service(_ number: Int, _ world: World) -> DeviceService {
        DeviceService(database: world.databases[number], now: { 0 })
    }

    /// Starts `work` on the loop of a server.
    private static func start(
        _ number: Int,
        _ world: World,
        _ work: @escaping @Sendable (DeviceService) async throws -> Void
    ) -> Task<Void, any Error> {
        let service = service(number, world)
        return Task(executorPreference: world.loops[number]) { try await work(service) }
    }

    @Test("A device's removal and its session's description of it finish without a deadlock")
    func removedWhileWritten() async throws {
        try await World.with { world in
            let callers = try await Self.sessions(world)
            let holder = try await Self.hold(["device-1"], world)
            let removal = Self.start(0, world) { try await $0.delete("device-1", for: callers[1]) }
            try await Self.wait(untilWaiting: 1, world)
            let description = DeviceDescription(name: "Camera", model: nil, appVersion: nil)
            let change = Self.start(1, world) { _ = try await $0.put("device-1", description, for: callers[0]) }
            try await Self.wait(untilWaiting: 2, world)
            try await Self.release(holder)
            try await removal.value
            try await change.value
            let ended = try await world.sql("SELECT device_id FROM sessions WHERE ended_at IS NOT NULL")
            #expect(ended.count == 1)
            #expect(ended.first?.text(0) == "device-1")
        }
    }

    @Test("One of two sessions that remove each other's device succeeds, and the other has ended")
    func eachOther() async throws {
        try await World.with { world in
            let callers = try await Self.sessions(world)
            let holder = try await Self.hold(["device-1", "device-2"], world)
            let first = Self.start(0, world) { try await $0.delete("device-2", for: callers[0]) }
            try await Self.wait(untilWaiting: 1, world)
            let second = Self.start(1, world) { try await $0.delete("device-1", for: callers[1]) }
            try await Self.wait(untilWaiting: 2, world)
            try await Self.release(holder)
            try await first.value
            await #expect {
                try await second.value
            } throws: { error in
                if case CloudSyncError.unauthenticated(.sessionEnded) = error { true } else { false }
            }
            #expect(try await world.sql("SELECT FROM devices").count == 1)
        }
    }

    @Test("20 concurrent removals, descriptions and polls fail only for ended sessions")
    func many() async throws {
        try await World.with { world in
            let callers = try await world.newAccount(devices: 20)
            try await world.sql(
                """
                INSERT INTO devices (user_id, id) SELECT user_id, device_id FROM sessions;
                UPDATE sessions SET last_used_at = now() - interval '2 hours'
                """
            )
            let description = DeviceDescription(name: "Camera", model: nil, appVersion: nil)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (number, caller) in callers.enumerated() {
                    let target = "device-\((number + 7) % 20 + 1)"
                    let (devices, server) = (Self.service(number % 2, world), world.servers[number % 2])
                    group.addTask(executorPreference: world.loops[number / 2 % 2]) {
                        do {
                            switch number % 3 {
                            case 0: try await devices.delete(target, for: caller)
                            case 1: _ = try await devices.put(target, description, for: caller)
                            default:
                                _ = try await server.delta(DeltaRequest(cursor: .none, deviceID: target), for: caller)
                            }
                        } catch CloudSyncError.unauthenticated(.sessionEnded) {
                        } catch CloudSyncError.problem(.notFound) {
                        }
                    }
                }
                try await group.waitForAll()
            }
        }
    }

    /// A manual clock for a device service.
    private final class Clock: Sendable {
        private let stored = Locked(1000)

        var seconds: Int { stored.withLock { $0 } }

        func pass(_ seconds: Int) { stored.withLock { $0 += seconds } }
    }

    private static func server(_ world: World, _ clock: Clock) -> ConfigurationService {
        let devices = DeviceService(database: world.databases[0], now: { clock.seconds })
        return ConfigurationService(database: world.databases[0], devices: devices, work: World.work, overlapSeconds: 0)
    }

    /// Polls as that device and returns the duration.
    private static func poll(
        _ server: ConfigurationService,
        as device: String,
        _ caller: Caller,
        _ world: World
    ) async throws -> Duration {
        try await world.loops[0].run {
            try await ContinuousClock().measure {
                _ = try await server.delta(DeltaRequest(cursor: .none, deviceID: device), for: caller)
            }
        }
    }

    /// A query that returns true if the device's row was updated in the last hour.
    private static func noted(_ device: String) -> String {
        "SELECT EXISTS (SELECT FROM neuroviews.devices WHERE id = '\(device)' AND last_seen_at > now() - interval '1 hour')"
    }

    @Test("A poll is answered while its device can't be recorded, and the device is recorded a minute later")
    func noteInTheWay() async throws {
        try await World.with { world in
            let (caller, clock) = (try await Self.sessions(world)[0], Clock())
            let server = Self.server(world, clock)
            try await world.sql("UPDATE devices SET last_seen_at = now() - interval '2 hours'")
            let holder = try await Self.hold(["device-1"], world)
            #expect(try await Self.poll(server, as: "device-1", caller, world) < .milliseconds(Patience.ms(8000)))
            try await Self.wait(untilWaiting: 0, world)
            try await Self.release(holder)
            clock.pass(59)
            _ = try await Self.poll(server, as: "device-1", caller, world)
            #expect(try await world.sql(Self.noted("device-1")).first?.bool(0) == false)
            clock.pass(1)
            // The service may have noticed the failure after the clock moved; then it retries later. A poll waits only
            // briefly for the update of the device's row.
            for _ in 0..<20 where try await world.sql(Self.noted("device-1")).first?.bool(0) == false {
                _ = try await Self.poll(server, as: "device-1", caller, world)
                clock.pass(60)
            }
            try await Self.wait(for: "the note", Self.noted("device-1"), world)
        }
    }

    @Test("A poll does not wait for the user's own writes")
    func writesInTheWay() async throws {
        try await World.with { world in
            let (caller, clock) = (try await Self.sessions(world)[0], Clock())
            let server = Self.server(world, clock)
            // The first poll opens connections and updates the session, which also takes locks.
            _ = try await Self.poll(server, as: "phone", caller, world)
            let holder = try await onThread { [connectionString = world.connectionString] in
                let holder = Holder(session: try BlockingSession(connectionString))
                try holder.session.execute("BEGIN; SELECT FROM neuroviews.sync_heads FOR UPDATE")
                return holder
            }
            let document = try Document("A", id: WriteRule.id, edited: 1).parsed()
            let write = Task(executorPreference: world.loops[0]) {
                try await server.create(document, for: caller).get()
            }
            try await Self.wait(untilWaiting: 1, world)
            #expect(try await Self.poll(server, as: "watch", caller, world) < .milliseconds(Patience.ms(8000)))
            try await Self.wait(for: "the note", Self.noted("watch"), world)
            try await Self.wait(untilWaiting: 1, world)
            try await Self.release(holder)
            _ = try await write.value
        }
    }

    @Test("Long device ids are compared in full, and a second poll within the hour writes nothing")
    func longIdentifiers() async throws {
        try await World.with { world in
            let callers = try await Self.sessions(world)
            let (clock, long) = (Clock(), String(repeating: "é", count: 199))
            let server = Self.server(world, clock)
            for device in [long + "a", long + "b", "a" + long] {
                _ = try await Self.poll(server, as: device, callers[0], world)
                try await Self.wait(for: "the note", Self.noted(device), world)
            }
            try await world.sql("UPDATE devices SET last_seen_at = now() - interval '2 hours'")
            clock.pass(3599)
            _ = try await Self.poll(server, as: long + "a", callers[0], world)
            #expect(try await world.sql(Self.noted(long + "a")).first?.bool(0) == false)
            clock.pass(1)
            _ = try await Self.poll(server, as: long + "a", callers[0], world)
            try await Self.wait(for: "the note", Self.noted(long + "a"), world)
        }
    }
}
