import Net
import Postgres

/// The caller's devices, with the time of their last request.
package final class DeviceService: Sendable {
    /// Limit of devices in an account.
    package static let countMax = 100
    private static let rememberedMax = 100_000
    private static let notedEverySeconds = 3600
    /// Pause after a failed note.
    private static let retrySeconds = 60
    /// How long a response waits for the note, and the note for a lock.
    private static let patienceMs: UInt64 = 250
    let database: CallerDatabase
    private let now: @Sendable () -> Int
    /// The next time to note each device, in Unix seconds. Between notes, a poll stays a pure read.
    private let due = Locked<[DeviceKey: Int]>([:])

    /// Stores devices in `database`; `now` returns Unix seconds.
    package init(database: Database, now: @escaping @Sendable () -> Int) {
        self.database = CallerDatabase(database)
        self.now = now
    }

    /// Notes that a device was seen, at most hourly. Failures are not reported to the caller. A note that takes longer
    /// than `patienceMs` continues in the background.
    func noteSeen(_ deviceID: String, for caller: Caller) async {
        let key = DeviceKey(userID: caller.userID, deviceID: deviceID)
        guard isDue(key) else { return }
        // A timer needs an event loop.
        guard let loop = EventLoop.current else { return await note(deviceID, key, caller) }
        await loop.awaiting(forMs: Self.patienceMs) { await self.note(deviceID, key, caller) }
    }

    /// Forgets a removed device: its next request is noted again.
    func forget(_ deviceID: String, of caller: Caller) {
        due.withLock { $0[DeviceKey(userID: caller.userID, deviceID: deviceID)] = nil }
    }

    private func note(_ deviceID: String, _ key: DeviceKey, _ caller: Caller) async {
        do {
            let step = DeviceSQL.noteSeen(.text(caller.userID), .text(deviceID), .int(Self.countMax))
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
