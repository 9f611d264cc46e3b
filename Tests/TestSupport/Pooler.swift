import Foundation
import Glibc
import Net

/// A real PgBouncer in front of a test cluster, on a Unix socket in a temporary directory. It ends when the test
/// process ends, for any reason.
package final class Pooler: Sendable {
    /// PgBouncer's pool mode.
    package enum Mode: String, Sendable, CaseIterable { case session, transaction, statement }

    private let directory: String
    private let shell: Locked<ChildShell>

    /// Starts PgBouncer. Throws if it does not start.
    package init(_ cluster: TestCluster, _ mode: Mode) throws {
        var template = Array("\(TemporaryPlace.path)/nvt-pooler.XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw TestSupportError("mkdtemp failed") }
        directory = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let arguments = [directory, Tool.pgbouncer.folder, cluster.directory, TestCluster.user]
        shell = Locked(try ChildShell(script: Self.script, arguments: arguments))
        try restart(mode)
    }

    /// The connection string through the pooler.
    package func connectionString(_ database: String, user: String = TestCluster.user) -> String {
        "host=\(directory) port=6432 user=\(user) dbname=\(database)"
    }

    /// Kills PgBouncer with all its connections and starts it again in that mode.
    package func restart(_ mode: Mode) throws {
        let answer = try shell.withLock { shell in try shell.ask(mode.rawValue) }
        guard answer == "up" else { throw TestSupportError("no pooler: \(answer)") }
    }

    /// Arguments: directory, PgBouncer's files, PostgreSQL's directory, superuser. PgBouncer refuses to run as root.
    private static let script = """
        directory=$1 user=$4 pid=
        trap '' HUP INT TERM PIPE
        cd "$directory" || exit 1
        cp "$2/usr/sbin/pgbouncer" "$2"/usr/lib/*-linux-gnu/*.so.* .
        as=
        if [ "$(id -u)" = 0 ]; then
            as="setpriv --reuid postgres --regid postgres --clear-groups"
            chown postgres "$directory"
        fi
        for name in "$user" neuroviews_app neuroviews_background neuroviews_owner; do echo "\\"$name\\" \\"\\""; done >users
        while read -r mode; do
            test -z "$pid" || { kill -KILL $pid; wait $pid 2>/dev/null; rm -f .s.PGSQL.6432; }
            printf '%s\\n' '[databases]' "* = host=$3 port=5432" '[pgbouncer]' "pool_mode=$mode" listen_port=6432 \\
                "unix_socket_dir=$directory" auth_type=trust "auth_file=$directory/users" default_pool_size=50 >ini
            LD_LIBRARY_PATH=$directory $as ./pgbouncer ini >>log 2>&1 </dev/null &
            pid=$!
            tries=0
            until [ -S .s.PGSQL.6432 ] || [ $tries = 400 ]; do tries=$((tries + 1)); sleep 0.05; done
            if [ -S .s.PGSQL.6432 ]; then echo up; else tail -n 3 log | tr '\\n' ' '; echo; fi
        done
        test -z "$pid" || kill -KILL $pid
        cd /; rm -rf "$directory"
        """
}
