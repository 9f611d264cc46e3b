import Postgres

/// Invalidates cursors, so that clients get the full set. For an operator, after rows were restored or changed by hand.
package enum ClientReset {
    /// Resets all accounts, or the account with that address. Returns their number. A server may be running. Blocks.
    package static func run(email: String? = nil, _ connectionString: String) throws(DatabaseError) -> Int {
        let session = try BlockingSession(connectionString)
        try session.execute("SET ROLE \(DatabaseRole.ownerName)")
        guard let email else { return try session.execute("SELECT neuroviews.reset_all_clients()").first?.int(0) ?? 0 }
        return try session.execute("SELECT neuroviews.reset_clients($1)", [email]).first?.int(0) ?? 0
    }
}
