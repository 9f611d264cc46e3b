import Glibc
import Machine
import Postgres

/// The configuration of a private cluster. It is written at each start if it differs.
package struct ClusterConfiguration: Sendable {
    /// The role that owns the database and is a member of the three roles. It has no session while a server serves.
    static let owner = "neuroviews"
    static let application = DatabaseRole.application.rawValue
    package static let background = DatabaseRole.background.rawValue
    static let database = "neuroviews"
    static let administrator = "postgres"

    let socketFolder: String
    let maxConnections: Int
    /// The account that the cluster runs under.
    let account: ClusterAccount

    /// Appended to `postgresql.conf` once.
    private static let include = """

        # The server's own settings, written again at each start. Settings below this line override them.
        include = 'neuroviews.conf'

        """

    /// The statements for a new cluster.
    static let preparation = """
        CREATE ROLE \(owner) LOGIN;
        CREATE DATABASE \(database) OWNER \(owner);

        """

    /// The superuser's statements after `Migrator.administration`. They can be repeated. In clusters of older servers
    /// the owner made the roles and may still have CREATEROLE.
    static let ownership = """
        DO $$
        DECLARE
            needed text;
            right_needed text := CASE WHEN current_setting('server_version_num')::int >= 160000 THEN 'SET' ELSE 'MEMBER' END;
        BEGIN
            IF (SELECT rolcreaterole FROM pg_roles WHERE rolname = '\(owner)') THEN
                ALTER ROLE \(owner) NOCREATEROLE;
            END IF;
            FOREACH needed IN ARRAY ARRAY['\(DatabaseRole.ownerName)', '\(application)', '\(background)'] LOOP
                IF NOT pg_has_role('\(owner)', needed, right_needed) THEN
                    EXECUTE format('GRANT %I TO \(owner)', needed);
                END IF;
            END LOOP;
        END
        $$
        """

    /// Writes the configuration files in the folder `cluster`, with the rights of its account.
    func write(to cluster: String) throws(FileError) {
        try FileReplacement.write(settings, to: cluster + "/neuroviews.conf")
        try FileReplacement.write(Self.authentication, to: cluster + "/pg_hba.conf")
        try FileReplacement.write(accounts, to: cluster + "/pg_ident.conf")
        try Self.addInclude(to: cluster + "/postgresql.conf")
    }

    private static let ownConfigurationMaxBytes = 1 << 20

    /// The file of initdb lacks the line: in a new cluster, and in one to which pg_upgrade has moved the data.
    private static func addInclude(to path: String) throws(FileError) {
        let text = try FileDescriptor.readOwnText(path, maxBytes: ownConfigurationMaxBytes)
        let isThere = text.split(whereSeparator: \.isNewline).contains { line in
            line.trimmed.hasPrefix("include") && line.contains("neuroviews.conf")
        }
        guard !isThere else { return }
        let file = try FileDescriptor.own(path, O_WRONLY | O_APPEND)
        try file.write(Array(include.utf8))
        try file.synchronize()
    }

    /// Errors are logged without details, because details quote values: `Key (email)=(…) already exists`. The log holds
    /// a week: each weekday's file is emptied when that weekday begins again.
    private var settings: String {
        """
        # Written by neuroviews-server at each start: put settings of your own at the end of postgresql.conf.
        listen_addresses = ''
        port = \(ClusterLocation.port)
        unix_socket_directories = '\(socketFolder.replacing("'", with: "''"))'
        unix_socket_permissions = 0777
        max_connections = \(maxConnections)
        shared_buffers = '128MB'
        fsync = on
        full_page_writes = on
        synchronous_commit = on
        wal_level = replica
        max_wal_size = '1GB'
        min_wal_size = '80MB'
        checkpoint_timeout = '5min'
        jit = off
        password_encryption = 'scram-sha-256'
        timezone = 'UTC'
        log_timezone = 'UTC'
        logging_collector = on
        log_destination = 'stderr'
        log_directory = 'log'
        log_filename = 'postgresql-%a.log'
        log_file_mode = 0600
        log_truncate_on_rotation = on
        log_rotation_age = '1d'
        log_rotation_size = 0
        log_line_prefix = '%m [%p] %q%a %e '
        log_min_messages = warning
        log_min_error_statement = fatal
        log_error_verbosity = terse
        log_checkpoints = off
        cluster_name = 'neuroviews'

        """
    }

    /// The kernel reports the account at the other end of the socket to PostgreSQL, and the map allows accounts. So
    /// other accounts may reach the socket.
    private static let authentication = """
        # Written by neuroviews-server at each start.
        local all all peer map=neuroviews

        """

    private var accounts: String {
        let names = account.name == "root" ? ["root"] : ["root", account.name]
        let lines = names.flatMap { name in
            [Self.owner, Self.application, Self.background, Self.administrator].map { "neuroviews \"\(name)\" \($0)\n" }
        }
        return "# Written by neuroviews-server at each start.\n" + lines.joined()
    }
}

extension ClusterConfiguration {
    /// Returns a libpq conninfo with quoted values.
    static func connectionString(socketFolder: String, user: String) -> String {
        let host = socketFolder.replacing("\\", with: "\\\\").replacing("'", with: "\\'")
        return "host='\(host)' port=\(ClusterLocation.port) user=\(user) dbname=\(database)"
    }
}
