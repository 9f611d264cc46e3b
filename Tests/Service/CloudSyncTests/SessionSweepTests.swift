import CloudSync
import Testing

/// The deletion of old sessions.
struct SessionSweepTests {
    @Test("The sweep deletes sessions a day after their end, and unused or old ones")
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
            try await world.sweep("ended sessions")
            let left = try await world.sql("SELECT device_id FROM sessions ORDER BY device_id")
            #expect((0..<left.count).map { left[$0].text(0) } == ["device-2", "device-4", "device-6"])
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
