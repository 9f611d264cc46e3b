import Net
import Postgres

/// The caller's devices and when each was last seen.
public final class DeviceService: Sendable {
    /// Devices of an account.
    public static let countMax = 1000
    private static let rememberedMax = 100_000
    let database: Database
    private let now: @Sendable () -> Int
    /// When this process last wrote down a device, in Unix seconds: a poll stays a pure read for an hour.
    private let written = Locked<[String: Int]>([:])

    /// Keeps devices in `database`; `now` gives Unix seconds.
    public init(database: Database, now: @escaping @Sendable () -> Int) {
        self.database = database
        self.now = now
    }

    /// Notes that a device was there, at most hourly. A failure is none of the caller's business.
    func noteSeen(_ deviceID: String, for caller: Caller) async {
        guard isDue(Self.key(deviceID, caller)) else { return }
        let steps = [caller.withoutNonce.enter, DeviceSQL.noteSeen(.text(deviceID), .int(Self.countMax))]
        _ = try? await database.write(steps, key: caller.userID, record: caller.record)
    }

    /// Was removed: when it comes again, that is written down again.
    func forget(_ deviceID: String, of caller: Caller) {
        written.withLock { $0[Self.key(deviceID, caller)] = nil }
    }

    private static func key(_ deviceID: String, _ caller: Caller) -> String { "\(caller.userID) \(deviceID)" }

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
