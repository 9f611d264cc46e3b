import Crypto
import Postgres

/// Tells a server that its secret is not the one that this database's tokens were made with.
public enum MasterKeyCheck {
    /// Notes the check value of a new database's first secret, and compares it from then on. False: another secret.
    public static func passes(_ keys: KeyRing, _ database: Database) async throws -> Bool {
        let rows = try await CloudSync.database { () throws(DatabaseError) in
            try await database.background(AccountSQL.masterKeys())
        }
        guard rows[0].count == 0 else { return matches(keys, rows[0]) }
        // Two servers may start on a new database at once: one adds its key, and both look again.
        let added = try await CloudSync.database { () throws(DatabaseError) in
            try await database.background(
                AccountSQL.lockMasterKeys(),
                AccountSQL.addFirstMasterKey(.text(keys.current.kid), .text(keys.current.checkValue)),
                AccountSQL.masterKeys()
            )
        }
        return matches(keys, added[2])
    }

    private static func matches(_ keys: KeyRing, _ rows: Rows) -> Bool {
        (0..<rows.count).contains {
            rows[$0].text(0) == keys.current.kid && rows[$0].text(1) == keys.current.checkValue
        }
    }
}
