import NeuroViewsCrypto
import Postgres

/// Compares the keys of a secret file with those of the database.
package enum MasterKeyCheck {
    /// Stores the first key of a new database; later compares the file's keys with the known ones. Notes the server in
    /// the same transaction, so no key becomes current between the comparison and the note.
    package static func run(_ file: [MasterKey], _ database: Database, as server: ServerID?) async throws
        -> ReadableKeys
    {
        let database = CallerDatabase(database)
        guard let first = file.first else { return ReadableKeys([], try await database.background(MasterKeySQL.all())) }
        let addFirst = MasterKeySQL.addFirst(.text(first.kid), .text(first.checkValue))
        guard let server else {
            let (_, _, known) = try await database.background(MasterKeySQL.lock(), addFirst, MasterKeySQL.all())
            return ReadableKeys(file, known)
        }
        let note = server.note(has: file.map(\.kid), lacks: [], asOf: nil)
        let (_, _, _, known) = try await database.background(MasterKeySQL.lock(), addFirst, note, MasterKeySQL.all())
        return ReadableKeys(file, known)
    }

    /// Compares without a note; nil when the database knows no key yet. Blocks.
    package static func look(_ file: [MasterKey], _ session: BlockingSession) throws -> ReadableKeys? {
        let known = try known(session)
        return known.isEmpty ? nil : ReadableKeys(file, known)
    }

    static func known(_ session: BlockingSession) throws -> [KnownMasterKey] {
        let rows = try session.execute(MasterKeySQL.known)
        return try (0..<rows.count).map { index in
            var columns = Columns(rows[index])
            return try KnownMasterKey(&columns)
        }
    }
}
