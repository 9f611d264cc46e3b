import Foundation
import Net
import Synchronization

/// The root folder of all servers that this test process starts. A watchdog outlives the process, even after a crash.
/// It ends the remaining servers and PostgreSQLs, and removes the folder. If `NEUROVIEWS_TEST_LOGS` names a folder, the
/// watchdog copies logs and metrics there, for `Tests/Support/find-secrets`.
package enum Sandbox {
    private static let count = Atomic(0)

    /// The path is short because it contains Unix sockets. Other users can enter it: root's PostgreSQL runs as
    /// `postgres`.
    private static let root: String = {
        let folder = "\(TemporaryPlace.path)/nvt-\(getpid())"
        mkdir(folder, 0o711)
        startWatchdog(folder)
        return folder
    }()

    /// Creates a new empty folder.
    package static func makeFolder() -> String {
        let folder = "\(root)/\(count.add(1, ordering: .relaxed).newValue)"
        mkdir(folder, 0o711)
        return folder
    }

    /// The watchdog's standard input ends when this process ends, because the process never closes the other end.
    private static func startWatchdog(_ folder: String) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        var settings = SpawnedProgram.Settings()
        settings.environment = ["PATH": "/usr/local/bin:/usr/bin:/bin"]
        settings.input = ends[0]
        _ = try? SpawnedProgram("/bin/sh", ["-c", script, "watchdog", folder, logs, Program.server], settings)
        close(ends[0])
    }

    /// True when somebody will search them.
    static var areLogsKept: Bool { !logs.isEmpty }

    private static var logs: String { ProcessInfo.processInfo.environment["NEUROVIEWS_TEST_LOGS"] ?? "" }

    /// Ends a process only if it still runs the started program. The shell itself compares: programs for each of a
    /// thousand servers would take half a minute.
    private static let script = """
        cat >/dev/null
        servers() {
            for file in "$1"/*/server.pid; do
                [ -e "$file" ] || continue
                read -r pid <"$file"
                [ "/proc/$pid/exe" -ef "$3" ] && echo "$pid"
            done
        }
        clusters() {
            for file in "$1"/*/data*/postgres/postmaster.pid; do
                [ -e "$file" ] || continue
                read -r pid <"$file"
                [ "/proc/$pid/cwd" -ef "${file%/*}" ] && echo "$pid"
            done
        }
        logs() {
            cd "$1" && find . -name '*.log' -type f -exec cp --parents -t "$2" {} +
            : >"$2/complete"
        }
        for pid in $(servers "$@"); do kill -TERM $pid; done
        tries=0
        while [ -n "$(servers "$@")" ] && [ $tries -lt 30 ]; do sleep 0.1; tries=$((tries + 1)); done
        for pid in $(servers "$@"); do kill -KILL $pid; done
        for pid in $(clusters "$1"); do kill -QUIT $pid; done
        tries=0
        while [ -n "$(clusters "$1")" ] && [ $tries -lt 50 ]; do sleep 0.1; tries=$((tries + 1)); done
        [ -z "$2" ] || logs "$1" "$2"
        rm -rf "$1"
        """
}
