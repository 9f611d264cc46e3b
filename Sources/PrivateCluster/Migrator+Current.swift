import CommandWords
import Machine
import Migrations
import Postgres

extension Migrator {
    /// The files of this server.
    package static let current = Migrator(SchemaFiles.all, release: ServerVersion.current)
}
