import Postgres

extension AccountService {
    private static let account = Query("SELECT id, email, rfc3339(created_at) FROM users WHERE id = $1::uuid") {
        columns throws(UnexpectedResult) in try User(&columns)
    }

    /// Returns the caller's account.
    package func user(of caller: Caller) async throws -> User {
        guard let user = try await database.read(for: caller, Self.account(.text(caller.userID))).first else {
            throw CloudSyncError.accountGone
        }
        return user
    }
}
