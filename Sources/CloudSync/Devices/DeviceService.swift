import Net
import Postgres

/// The caller's devices and when each was last seen.
public final class DeviceService: Sendable {
    private static let rememberedMax = 100_000
    private let database: Database
    private let now: @Sendable () -> Int
    /// When this process last wrote down a device, in Unix seconds: a poll stays a pure read for an hour.
    private let written = Locked<[String: Int]>([:])

    private static let noteSeen = Statement(
        """
        INSERT INTO devices AS d (user_id, id)
        SELECT user_id, $1 FROM sync_heads
        WHERE (SELECT count(*) FROM devices) < 1000 OR EXISTS (SELECT FROM devices WHERE id = $1)
        ON CONFLICT (user_id, id) DO UPDATE SET last_seen_at = now()
        WHERE d.last_seen_at < now() - interval '1 hour'
        """
    )

    /// Keeps devices in `database`; `now` gives Unix seconds.
    public init(database: Database, now: @escaping @Sendable () -> Int) {
        self.database = database
        self.now = now
    }

    /// Notes that a device was there, at most hourly. A failure is none of the caller's business.
    func noteSeen(_ deviceID: String, for caller: Caller) async {
        guard isDue("\(caller.userID) \(deviceID)") else { return }
        let steps = [caller.withoutNonce.enter, Self.noteSeen(.text(deviceID))]
        _ = try? await database.write(steps, key: caller.userID, record: caller.record)
    }

    private func isDue(_ key: String) -> Bool {
        let time = now()
        return written.withLock { written in
            if let last = written[key], time - last < 3600 { return false }
            if written.count >= Self.rememberedMax { written.removeAll() }
            written[key] = time
            return true
        }
    }
}
