import Postgres

/// Ends every cursor of accounts: their clients take a full set next time. For an operator, after a restore by hand.
public enum EpochRotation {
    /// Returns how many accounts there were: all of them, or the one with that address. Writes under way are waited
    /// for, and a server may be running. Blocks.
    public static func run(email: String? = nil, _ connectionString: String) throws(DatabaseError) -> Int {
        let session = try BlockingSession(connectionString)
        try session.execute("SET ROLE neuroviews_owner")
        guard let email else { return try session.execute(all).first?.int(0) ?? 0 }
        return try session.execute(one, [email]).first?.int(0) ?? 0
    }

    private static let all = """
        WITH rotated AS (UPDATE neuroviews.sync_heads SET epoch = gen_random_uuid() RETURNING user_id)
        SELECT count(*) FROM rotated
        """

    private static let one = """
        WITH rotated AS (
            UPDATE neuroviews.sync_heads SET epoch = gen_random_uuid()
            WHERE user_id = (SELECT id FROM neuroviews.users WHERE lower(email) = lower($1)) RETURNING user_id
        )
        SELECT count(*) FROM rotated
        """
}
