import CloudSync
import Postgres
import Testing

/// The deletion of master keys, and the references that prevent it.
struct MasterKeySweepTests {
    /// A statement that inserts a key replaced `hours` hours ago.
    private static func previous(_ hours: Int) -> String {
        "INSERT INTO master_keys (key_id, check_value, state, since) VALUES ('old', 'x', 'previous', "
            + "now() - interval '\(hours) hours')"
    }

    /// An ended session with the key; `change` can make it usable.
    private static let endedSession = "UPDATE sessions SET key_id = 'old', ended_at = now()"

    @Test(
        "A previous key is deleted after a day and an hour, unless a session or an upload needs it",
        arguments: [
            (26, "", true), (24, "", false), (26, "UPDATE sessions SET ended_at = NULL", false),
            (26, "UPDATE sessions SET ended_at = NULL, last_used_at = now() - interval '91 days'", true),
            (26, upload(asked: 27), false), (26, upload(asked: 24), true),
            (26, "UPDATE master_keys SET state = 'compromised' WHERE key_id = 'old'", false),
        ]
    )
    func sweep(hours: Int, change: String, goes: Bool) async throws {
        try await World.with { world in
            _ = try await world.newAccount()
            try await world.sql("\(Self.previous(hours)); \(Self.endedSession); \(change)")
            let gone = try await MasterKeySweep(database: world.databases[0]).run()
            #expect(gone == (goes ? ["old"] : []))
            #expect(try await world.sql("SELECT FROM master_keys").count == (goes ? 1 : 2))
        }
    }

    private static func upload(asked hours: Int) -> String {
        """
        INSERT INTO recording_files (user_id, id, spelled_id, object_key, size, content_type, asked_at, expires_at)
        SELECT id, id, id, 'object', 1, 'video/mp4', now() - interval '\(hours) hours', now() + interval '1 day' FROM users
        """
    }

    @Test(
        "A session begins with the current key, or for a minute with the previous one",
        arguments: [
            ("previous", "30 seconds", true), ("previous", "2 minutes", false), ("prepared", "0", false),
            ("compromised", "0", false),
        ]
    )
    func begin(state: String, age: String, isTaken: Bool) async throws {
        try await World.with { world in
            _ = try await world.newAccount()
            let since = "now() - interval '\(age)'"
            try await world.sql("INSERT INTO master_keys VALUES ('other', 'x', '\(state)', \(since))")
            let begin = "INSERT INTO sessions (user_id, key_id) SELECT id, 'other' FROM users"
            if isTaken {
                _ = try await world.sql(begin)
            } else {
                let refusal = await #expect(throws: DatabaseError.self) { try await world.sql(begin) }
                guard case .refused(let reason) = refusal else {
                    Issue.record("not refused")
                    return
                }
                #expect(reason.state == "NV021")
            }
        }
    }
}
