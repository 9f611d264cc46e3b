/// The reason for a failed migration; each is one sentence for the operator.
public enum MigrationError: Error, CustomStringConvertible {
    /// The database could not be reached or used.
    case database(DatabaseError)
    /// The login role may not create the three roles.
    case rolesMissing
    /// The login role may not create the schema; carries the database's name.
    case schemaMissing(database: String)
    /// The login may not bring the database up to date, which it has to be.
    case pending(name: String)
    /// The database has the tables of a server before the first release.
    case former
    /// An applied file has another content now.
    case changed(name: String)
    /// The database has been migrated by a newer server.
    case newer(name: String)
    /// A file failed; nothing of it, or of any file of functions, has happened.
    case failed(name: String, ServerRefusal)
    /// A function would have other arguments or another result, which servers of the release before can't use. Nothing of any
    /// file of functions has happened.
    case redefined(reason: String)

    /// True if a later try may succeed: the database is away, starting or a standby.
    public var isAbsence: Bool {
        switch self {
        case .database(let error): error.isAbsence
        case .failed(_, let refusal): refusal.isTransient
        case .rolesMissing, .schemaMissing, .pending, .former, .changed, .newer, .redefined: false
        }
    }

    /// The cause and the remedy.
    public var description: String {
        switch self {
        case .database(.unavailable(let reason)), .database(.connectionLost(let reason)):
            "Can't reach PostgreSQL (\(reason)): check \(LibpqEnvironment.urlSetting) and that PostgreSQL runs there."
        case .database(.unusable(let reason)): "\(reason)"
        case .database(.refused(let refusal)) where refusal.isReadOnly,
            .failed(_, let refusal) where refusal.isReadOnly:
            refusal.readOnlySentence
        case .database(.refused(let refusal)):
            "PostgreSQL refused to prepare the schema (\(refusal.message)): the role of NEUROVIEWS_DATABASE_URL needs "
                + "CREATE on the database."
        case .rolesMissing:
            "The database's roles are missing, and this login may not create them: let an administrator run neuroviews-server roles | "
                + "psql DATABASE once, and log in as neuroviews_owner (NEUROVIEWS_OWNER_DATABASE_URL)."
        case .schemaMissing(let database):
            "The schema of the tables is missing, and this login lacks CREATE on the database, which makes it: let an administrator run "
                + "GRANT CREATE ON DATABASE \(database), or neuroviews-server roles | psql \(database)."
        case .pending(let name):
            "The database lacks \(name), and only its owner can bring it up to date: run neuroviews-server migrate with "
                + "NEUROVIEWS_OWNER_DATABASE_URL first."
        case .former:
            "The database was made by a server before the first release and can't be upgraded: start with an empty one "
                + "(another NEUROVIEWS_DATA or NEUROVIEWS_DATABASE_URL), and export what you need with the server that made it."
        case .changed(let name):
            "Migration \(name) was applied with another content: run the version of the server that applied it."
        case .newer(let name):
            "The database has migration \(name), which this server does not know and can't work with: run the newer server."
        case .failed(let name, let refusal):
            "Migration \(name) failed and was undone: \(refusal.message) (SQLSTATE \(refusal.state))."
        case .redefined(let reason):
            "A migration failed and was undone (\(reason)): a function with other arguments, other names of them or another "
                + "result needs another name."
        }
    }
}
