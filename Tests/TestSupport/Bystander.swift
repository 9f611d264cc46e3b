import Foundation
import Net

/// A process that is unrelated to the server and that the server must not kill.
package final class Bystander: Sendable {
    private let child: SpawnedProgram

    /// The process ID.
    package var process: Int32 { child.number }

    /// Starts the process under the account that owns a file. A process of another account would prove less, because
    /// signals to it can fail.
    package init(ownerOf path: String) throws {
        var status = stat()
        guard stat(path, &status) == 0 else { throw Program.Failure("no \(path)") }
        let isOther = status.st_uid != geteuid()
        let account = ["--reuid=\(status.st_uid)", "--regid=\(status.st_gid)", "--clear-groups", "/bin/sleep"]
        child = try SpawnedProgram(isOther ? "/usr/bin/setpriv" : "/bin/sleep", (isOther ? account : []) + ["120"])
        let number = child.number
        try Deadline.wait("a bystander", seconds: 5) {
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(number)/exe"))?.hasSuffix("sleep")
                == true
        }
    }

    /// Kills the process.
    package func end() {
        kill(process, SIGKILL)
    }
}
