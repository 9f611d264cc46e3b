import CloudSync
import Net
import Problems

extension World {
    /// The time of `accounts`, in Unix seconds.
    static let accountsNowS = 1_800_000_000

    /// The accounts at a server with these master keys and this policy.
    func accounts(keys: KeyRing = World.keys, registration: RegistrationPolicy = .open) throws -> AccountService {
        AccountService(
            database: databases[0],
            keys: keys,
            hashing: try BlockingPool(threads: 1, queueMax: 8),
            limits: AttemptLimits(database: databases[0], keys: keys),
            settings: .init(registration: registration, now: { Self.accountsNowS })
        )
    }
}

extension ProblemType {
    /// The problem that a request gets; nil if it succeeds.
    static func answering(_ request: () async throws -> Void) async throws -> ProblemType? {
        do {
            try await request()
            return nil
        } catch let error as CloudSyncError {
            return error.type
        }
    }
}
