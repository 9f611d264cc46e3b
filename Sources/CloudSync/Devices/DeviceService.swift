import Net
import Postgres

/// The caller's devices and when each was last seen.
public final class DeviceService: Sendable {
    /// Devices of an account.
    public static let countMax = 100
    private static let rememberedMax = 100_000
    private static let notedEverySeconds = 3600
    /// What could not be written down is tried again so much later.
    private static let retrySeconds = 60
    /// How long an answer waits for the note, and the note for a lock.
    private static let patienceMs: UInt64 = 250
    let database: CallerDatabase
    private let now: @Sendable () -> Int
    /// When this process is to write down a device again, in Unix seconds: a poll stays a pure read for an hour.
    private let due = Locked<[DeviceKey: Int]>([:])

    /// Keeps devices in `database`; `now` gives Unix seconds.
    public init(database: Database, now: @escaping @Sendable () -> Int) {
        self.database = CallerDatabase(database)
        self.now = now
    }

    /// Notes that a device was there, at most hourly. Neither a failure nor a long wait is the caller's business: what takes
    /// longer than a moment goes on by itself.
    func noteSeen(_ deviceID: String, for caller: Caller) async {
        let key = DeviceKey(userID: caller.userID, deviceID: deviceID)
        guard isDue(key) else { return }
        // A timer needs a loop.
        guard let loop = EventLoop.current else { return await note(deviceID, key, caller) }
        await loop.awaiting(forMs: Self.patienceMs) { await self.note(deviceID, key, caller) }
    }

    /// Was removed: when it comes again, that is written down again.
    func forget(_ deviceID: String, of caller: Caller) {
        due.withLock { $0[DeviceKey(userID: caller.userID, deviceID: deviceID)] = nil }
    }

    private func note(_ deviceID: String, _ key: DeviceKey, _ caller: Caller) async {
        do {
            let step = DeviceSQL.noteSeen(.text(deviceID), .int(Self.countMax))
            try await database.note(step, for: caller, lockTimeoutMs: Int(Self.patienceMs))
        } catch {
            due.withLock { $0[key] = now() + Self.retrySeconds }
        }
    }

    private func isDue(_ key: DeviceKey) -> Bool {
        let time = now()
        return due.withLock { due in
            if let next = due[key], time < next { return false }
            if due.count >= Self.rememberedMax { due.removeAll() }
            due[key] = time + Self.notedEverySeconds
            return true
        }
    }
}
