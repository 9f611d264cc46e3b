import Crypto
import Postgres

/// Tells a server that its secret is not the one that this database's tokens were made with.
public enum MasterKeyCheck {
    /// Notes the check value of a new database's first secret, and compares it from then on. False: another secret.
    public static func passes(_ keys: KeyRing, _ database: Database) async throws -> Bool {
        let database = CallerDatabase(database)
        let known = try await database.background(AccountSQL.masterKeys())
        if !known.isEmpty { return matches(keys, known) }
        // Two servers may start on a new database at once: one adds its key, and both look again.
        let (_, _, added) = try await database.background(
            AccountSQL.lockMasterKeys(),
            AccountSQL.addFirstMasterKey(.text(keys.current.kid), .text(keys.current.checkValue)),
            AccountSQL.masterKeys()
        )
        return matches(keys, added)
    }

    private static func matches(_ keys: KeyRing, _ known: [KnownMasterKey]) -> Bool {
        known.contains(KnownMasterKey(id: keys.current.kid, checkValue: keys.current.checkValue))
    }
}

/// A master key that this database's tokens were made with.
struct KnownMasterKey: Equatable {
    let id: String
    let checkValue: String
}
