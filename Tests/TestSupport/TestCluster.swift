import Glibc
import Migrations
import Net
import Postgres
import Synchronization

/// A PostgreSQL cluster for the tests, with a Unix socket in its temporary directory. When the test process ends, for
/// any reason, the cluster stops and its directory is removed.
package final class TestCluster: Sendable {
    /// The shared cluster of all tests, started on first use. Tests must not stop it; they can create their own with
    /// `TestCluster()`.
    package static let shared = Result { try TestCluster() }

    /// The superuser of the cluster.
    package static let user = "neuroviews_test"

    /// The directory of the socket; its subdirectory `data` has the data.
    package let directory: String
    private let shell: Locked<ChildShell>
    /// The name of a migrated database that is copied; nil until the first copy.
    private let template = Locked<String?>(nil)
    private static let databases = Atomic<Int>(0)

    /// Starts a cluster. Throws if PostgreSQL's programs are missing or it does not start. `clock` makes its clock wrong.
    package init(clock: FakeClock? = nil) throws {
        var template = Array("\(TemporaryPlace.path)/nvt.XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw TestSupportError("mkdtemp failed") }
        directory = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let faked = try clock.map { try ["env"] + $0.variables() } ?? []
        let shell = try ChildShell(script: Self.script, arguments: [directory, Self.user] + faked)
        let answer = try shell.readLine()
        guard answer == "up" else { throw TestSupportError("no test cluster: \(answer)") }
        self.shell = Locked(shell)
    }

    /// A connection string for that database and role.
    package func connectionString(_ database: String = "postgres", user: String = TestCluster.user) -> String {
        "host=\(directory) port=5432 user=\(user) dbname=\(database)"
    }

    /// Creates an empty database and returns its connection string. Blocks for some tens of milliseconds.
    package func makeDatabase() throws -> String {
        let name = Self.newName()
        try execute("CREATE DATABASE \(name)")
        return connectionString(name)
    }

    /// Creates a database with the current schema and returns its connection string. It is a copy: all of a cluster
    /// have one lineage. Blocks for some tens of milliseconds, the first time for a second.
    package func makeMigratedDatabase() throws -> String {
        let template = try template.withLock { known in
            if let known { return known }
            let name = Self.newName()
            try execute("CREATE DATABASE \(name)")
            try Migrator(SchemaFiles.all, release: "0").run(connectionString(name))
            known = name
            return name
        }
        let name = Self.newName()
        // Half of the work of the other strategy, which writes the copy to the log too.
        try execute("CREATE DATABASE \(name) TEMPLATE \(template) STRATEGY FILE_COPY")
        return connectionString(name)
    }

    /// Drops a database by its connection string. The files of many databases would take the machine's memory.
    package func drop(_ connectionString: String) throws {
        let name = connectionString.split(separator: "=").last ?? ""
        try execute("DROP DATABASE \(name) WITH (FORCE)")
    }

    private static func newName() -> String { "t\(databases.add(1, ordering: .relaxed).newValue)" }

    /// Runs statements as the superuser, by default in the database `postgres`. Blocks.
    @discardableResult
    package func execute(_ sql: String, in connectionString: String? = nil) throws -> Rows {
        try BlockingSession(connectionString ?? self.connectionString()).execute(sql)
    }

    /// Kills all processes of the cluster (SIGKILL). Returns when they have ended.
    package func kill() throws { try tell("kill", answer: "down") }

    /// Starts the cluster again. Returns when it accepts connections.
    package func start() throws { try tell("start", answer: "up") }

    private func tell(_ command: String, answer expected: String) throws {
        let answer = try shell.withLock { shell in try shell.ask(command) }
        guard answer == expected else { throw TestSupportError("\(command): \(answer)") }
    }
}

extension TestCluster {
    /// Arguments: directory, superuser, and the words before PostgreSQL's program. If root runs the tests, PostgreSQL runs
    /// as `postgres`, because it refuses to run as root.
    private static let script = """
        directory=$1 user=$2
        shift 2
        faked=$*
        trap '' HUP INT TERM PIPE
        bin=$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -V | tail -n 1)
        test -n "$bin" || { echo "PostgreSQL's programs are not installed"; exit 1; }
        cd "$directory" || exit 1
        as=
        if [ "$(id -u)" = 0 ]; then
            as="setpriv --reuid postgres --regid postgres --clear-groups"
            chown postgres "$directory"
        fi
        start() {
            $as $faked "$bin/postgres" -D "$directory/data" -k "$directory" -c listen_addresses= -c fsync=off -c jit=off \\
                -c max_connections=600 -c shared_buffers=32MB -c synchronous_commit=off -c full_page_writes=off \\
                >>"$directory/log" 2>&1 </dev/null &
            server=$!
            tries=0
            until "$bin/pg_isready" -q -h "$directory" -U "$user" -d postgres; do
                kill -0 $server 2>/dev/null || { tail -n 3 "$directory/log" | tr '\\n' ' '; echo; return; }
                tries=$((tries + 1))
                test $tries -lt 600 || { echo "did not come up"; return; }
                sleep 0.05
            done
            echo up
        }
        stop() {
            kill "$1" $server $(ps -o pid= --ppid $server) 2>/dev/null
            wait $server 2>/dev/null
        }
        if $as "$bin/initdb" --no-sync -A trust -U "$user" -E UTF8 --locale=C -D "$directory/data" \\
            >"$directory/log" 2>&1 </dev/null; then start; else tail -n 3 "$directory/log" | tr '\\n' ' '; echo; fi
        while read -r command; do
            case $command in
                kill) stop -KILL; while "$bin/pg_isready" -q -h "$directory"; do sleep 0.02; done; echo down ;;
                start) start ;;
            esac
        done
        test -n "$server" && stop -QUIT
        cd /; rm -rf "$directory"
        """
}
