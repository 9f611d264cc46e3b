import Postgres

/// Adds operators' actions to the trail that no other statement adds.
package enum OperatorTrail {
    /// Adds an action to the trail; `email` is the address of the account concerned. Blocks.
    package static func note(
        _ action: String,
        by operatorName: String,
        of email: String? = nil,
        _ connectionString: String
    ) throws(DatabaseError) {
        let session = try BlockingSession(connectionString)
        try session.execute("SET ROLE \(DatabaseRole.ownerName)")
        try session.execute(
            """
            INSERT INTO neuroviews.operator_actions (operator, action, account)
            SELECT $1, $2, (SELECT u.id FROM neuroviews.users u WHERE lower(u.email COLLATE "C") = lower($3 COLLATE "C"))
            """,
            [operatorName, action, email ?? ""]
        )
    }
}
