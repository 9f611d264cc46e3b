import Foundation
import Net
import Testing

/// A real S3 service for the tests, in a temporary directory. Its access key is `test:tester`, its secret `testing`,
/// its region `us-east-1`. It ends when the test process ends, for any reason.
package final class S3Peer: Sendable {
    /// The shared service of all tests, started on first use. Tests must not kill it; they can create their own with
    /// `S3Peer()`.
    package static let shared = Result { try S3Peer() }

    /// The service's URL: `http://127.0.0.1:PORT`.
    package let url: String
    private let shell: Locked<ChildShell>

    /// Starts a service without buckets. Takes a second.
    package init() throws {
        var template = Array("\(TemporaryPlace.path)/nvt-s3.XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw TestSupportError("mkdtemp failed") }
        let folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let shell = try ChildShell(script: Self.script, arguments: [folder, Tool.interpreter, Tool.script("s3-peer")])
        let answer = try shell.readLine()
        guard let port = UInt16(answer) else { throw TestSupportError("no S3 peer: \(answer)") }
        url = "http://127.0.0.1:\(port)"
        self.shell = Locked(shell)
    }

    /// Kills the service (SIGKILL). Returns when it has ended.
    package func kill() throws {
        _ = try shell.withLock { shell in try shell.ask("kill") }
    }
}

extension S3Peer {
    /// Arguments: directory, Python, the service's program. It prints its port, or ends.
    private static let script = """
        directory=$1
        trap '' HUP INT TERM PIPE
        mkfifo "$directory/port"
        "$2" "$3" "$directory/service" >"$directory/port" 2>"$directory/log" </dev/null &
        service=$!
        read -r port <"$directory/port" || port=$(tail -n 3 "$directory/log" | tr '\\n' ' ')
        echo "$port"
        end() { kill -KILL $service && wait $service; } 2>/dev/null
        while read -r command; do
            end
            echo down
        done
        end
        rm -rf "$directory"
        """
}
