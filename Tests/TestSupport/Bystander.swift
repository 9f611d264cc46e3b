import Foundation
import Net

/// A program that has nothing to do with the server, and must survive it.
public final class Bystander: Sendable {
    private let child: SpawnedProgram

    /// Its number.
    public var process: Int32 { child.number }

    /// Starts it under the account that owns a file: a signal to another account's process says less.
    public init(ownerOf path: String) throws {
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

    /// Ends it.
    public func end() {
        kill(process, SIGKILL)
    }
}
