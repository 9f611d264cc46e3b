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

    /// The script that starts the service. `Tests/Support/s3-tools` installs its programs.
    private static let tool = SharedVectors.folder("tools").appendingPathComponent("s3-peer").path
    private static let programs = Repository.path + "/.build/s3-peer/venv"
    static let isInstalled =
        FileManager.default.isExecutableFile(atPath: tool)
        && FileManager.default.isExecutableFile(atPath: programs + "/bin/swift-proxy-server")

    /// Starts a service without buckets. Takes some seconds.
    package init() throws {
        var template = Array("/tmp/nvt-s3.XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw TestSupportError("mkdtemp failed") }
        let folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let shell = try ChildShell(script: Self.script, arguments: [folder, Self.tool, Self.programs])
        let answer = try shell.readLine()
        guard let port = UInt16(answer) else { throw TestSupportError("no S3 peer: \(answer)") }
        url = "http://127.0.0.1:\(port)"
        self.shell = Locked(shell)
    }

    /// Kills the proxy process, which serves the clients (SIGKILL). Returns when it has ended.
    package func kill() throws {
        _ = try shell.withLock { shell in try shell.ask("kill") }
    }
}

extension S3Peer {
    /// Arguments: directory, tool, its programs. The service uses four consecutive ports, below the kernel's range of
    /// client ports.
    private static let script = """
        directory=$1 tool=$2
        ln -s "$3" "$directory/venv"
        taken() { bash -c "exec 3<>/dev/tcp/127.0.0.1/$1" 2>/dev/null; }
        while
            port=$(shuf -i 20000-31000 -n 1)
            taken $port || taken $((port + 1)) || taken $((port + 2)) || taken $((port + 3))
        do :; done
        if "$tool" start "$directory" $port >"$directory/log" 2>&1 </dev/null; then
            echo $port
        else
            tail -n 3 "$directory/log" | tr '\\n' ' '
            echo
        fi
        while read -r command; do
            proxy=$(cat "$directory/run/proxy.pid")
            kill -KILL $proxy
            while [ -e /proc/$proxy/exe ]; do sleep 0.02; done
            echo down
        done
        "$tool" stop "$directory"
        rm -rf "$directory"
        """
}

extension Trait where Self == ConditionTrait {
    /// For tests with a real S3 service; skipped if it is not installed.
    package static var needsS3Peer: Self {
        .enabled(if: S3Peer.isInstalled, "the S3 peer is not here")
    }
}
