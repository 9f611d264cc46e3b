import Net
import Postgres

extension AccountService {
    /// Runs what checks a second factor, and notes among the account's security events when it was wrong. In a transaction of its own, since that
    /// of the check is undone.
    func notingWrongFactor<T>(
        of userID: String,
        from address: IPAddress?,
        record: RequestRecord?,
        _ check: () async throws -> T
    ) async throws -> T {
        do {
            return try await check()
        } catch let error as CloudSyncError {
            switch error {
            case .codeInvalid, .tooManyCodes:
                let note = AccountEventSQL.noteFailedFactor(.text(userID), .text(address?.description))
                _ = try await database.background(note, record: record)
            default: break
            }
            throw error
        }
    }
}
