import CloudSync
import Testing

/// The deletion of old sessions.
struct SessionSweepTests {
    /// Runs the sweep at each of these times, in seconds.
    private static func run(in world: World, at times: some Sequence<Int>) async throws {
        for sweep in Sweep.all where sweep.name == "ended sessions" {
            for time in times { try await sweep.run(in: world.databases[0], at: time) }
        }
    }

    @Test("The sweeps of a day delete sessions a day after their end, and unused or old ones")
    func sweep() async throws {
        try await World.with { world in
            _ = try await world.newAccount(devices: 6)
            let changes = [
                "device-1": "ended_at = now() - interval '25 hours'",
                "device-2": "ended_at = now() - interval '23 hours'",
                "device-3": "last_used_at = now() - interval '91 days'",
                "device-4": "last_used_at = now() - interval '89 days'",
                "device-5": "created_at = now() - interval '366 days'",
            ]
            for (device, change) in changes {
                try await world.sql("UPDATE sessions SET \(change) WHERE device_id = '\(device)'")
            }
            try await Self.run(in: world, at: stride(from: 0, to: 86_400, by: 600))
            let left = try await world.sql("SELECT device_id FROM sessions ORDER BY device_id")
            #expect((0..<left.count).map { left[$0].text(0) } == ["device-2", "device-4", "device-6"])
        }
    }

    @Test("Each sweep reads the unused sessions of some accounts, and those of a day read all")
    func parts() async throws {
        try await World.with { world in
            let ids = ["00000000", "01ffffff", "02000000", "ffffffff"].map { "\($0)-ffff-ffff-ffff-ffffffffffff" }
            for id in ids {
                try await world.sql("INSERT INTO users (id, email, password_hash) VALUES ('\(id)', '\(id)', '-')")
            }
            try await world.sql(
                """
                INSERT INTO sessions (user_id, key_id, last_used_at)
                SELECT id, '\(World.keys.current.kid)', now() - interval '91 days' FROM users
                """
            )
            for (time, gone) in [(300, 2), (600, 3), (76_199, 3), (76_799, 4)] {
                try await Self.run(in: world, at: [time])
                let rows = try await world.sql("SELECT user_id FROM sessions ORDER BY user_id")
                #expect((0..<rows.count).compactMap { rows[$0].text(0) } == Array(ids.dropFirst(gone)), "\(time)")
            }
        }
    }

    @Test("One run of the sweep deletes more sessions than one step takes")
    func many() async throws {
        try await World.with { world in
            _ = try await world.newAccount(devices: 2500)
            try await world.sql(
                "UPDATE sessions SET ended_at = now() - interval '2 days' WHERE device_id <> 'device-1'"
            )
            try await world.sweep("ended sessions")
            #expect(try await world.sql("SELECT FROM sessions").count == 1)
        }
    }
}
