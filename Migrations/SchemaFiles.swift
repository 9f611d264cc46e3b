/// The SQL of the database, embedded in the binary.
package enum SchemaFiles {
    /// Every file of this folder by its path in it: `roles.sql`, `0001_tables.sql`, `functions/sessions.sql` and so on.
    /// `Migrator` says what each is for.
    package static let all = EmbeddedFiles.all.mapValues { String(decoding: $0, as: UTF8.self) }
}
