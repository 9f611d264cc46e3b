import Crypto
import Postgres

extension MasterKeyCheck {
    /// Whether the secret is one that this database's tokens were made with; nil when the database knows none yet. Notes
    /// nothing; blocks.
    public static func fits(_ key: MasterKey, _ session: BlockingSession) throws(DatabaseError) -> Bool? {
        let rows = try session.execute("SELECT key_id, check_value FROM neuroviews.master_keys")
        guard rows.count > 0 else { return nil }
        return (0..<rows.count).contains {
            rows[$0].text(0) == key.kid && rows[$0].text(1) == key.checkValue
        }
    }
}
