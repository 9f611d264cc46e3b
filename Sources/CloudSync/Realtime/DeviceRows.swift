/// The devices of one loop whose rows have still to be written. States change often, and a row is for the account's other servers alone:
/// it is written at most once a second, the first time at once.
struct DeviceRows {
    /// What a row must become.
    enum Change: Sendable {
        /// A device at this server; nil: it has no states.
        case write([UInt8]?)
        case delete
    }

    struct Key: Hashable, Sendable {
        let account: AccountID
        let device: String
    }

    /// A crash of the database makes all rows due at once.
    static let batchMax = 300
    static let batchEveryMs: UInt64 = 50
    private static let rewriteMs: UInt64 = 1000

    private var dueMs: [Key: UInt64] = [:]
    /// In the order in which they were noted.
    private var order: [Key] = []

    var isEmpty: Bool { order.isEmpty }

    /// Notes a change. `writtenAtMs` is the time of the row's last write.
    mutating func note(_ key: Key, writtenAtMs: UInt64, nowMs: UInt64) {
        guard dueMs[key] == nil else { return }
        dueMs[key] = max(nowMs, writtenAtMs == 0 ? 0 : writtenAtMs + Self.rewriteMs)
        order.append(key)
    }

    /// Removes and returns rows that are due.
    mutating func take(nowMs: UInt64) -> [Key] {
        var (taken, rest): ([Key], [Key]) = ([], [])
        for key in order {
            if taken.count < Self.batchMax, let due = dueMs[key], due <= nowMs {
                taken.append(key)
                dueMs[key] = nil
            } else {
                rest.append(key)
            }
        }
        order = rest
        return taken
    }
}
