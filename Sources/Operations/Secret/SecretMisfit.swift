import CloudSync

/// The error message for a secret file that does not fit its database, with the remedy.
package enum SecretMisfit {
    /// Returns nil if a server can read all data of the database. `keys` is nil if the database has no key yet.
    package static func sentence(_ keys: ReadableKeys?, _ path: String) -> String? {
        guard let keys, !keys.areComplete else { return nil }
        if keys.areCompromised {
            return
                "The master keys of this database were reported as compromised, and no other is there: run neuroviews-server "
                + "secret compromised, which makes a new one."
        }
        guard !keys.held.isEmpty else {
            return
                "The secret file \(path) is not the one this database was made with: put the right one back, or name it with "
                + "NEUROVIEWS_SECRET_FILE."
        }
        let ids = keys.missing.filter { $0.state != .prepared }.map(\.id).joined(separator: ", ")
        return
            "The secret file \(path) lacks the master key \(ids), which this database uses: copy the file from where "
            + "neuroviews-server secret rotate has run."
    }
}
