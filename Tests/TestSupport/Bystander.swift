import Foundation

/// A program that has nothing to do with the server, and must survive it.
public final class Bystander: Sendable {
    private let child = Process()

    /// Its number.
    public var process: Int32 { child.processIdentifier }

    /// Starts it under the account that owns a file: a signal to another account's process says less.
    public init(ownerOf path: String) throws {
        var status = stat()
        guard stat(path, &status) == 0 else { throw Program.Failure("no \(path)") }
        let isOther = status.st_uid != geteuid()
        child.executableURL = URL(fileURLWithPath: isOther ? "/usr/bin/setpriv" : "/bin/sleep")
        let account = ["--reuid=\(status.st_uid)", "--regid=\(status.st_gid)", "--clear-groups", "/bin/sleep"]
        child.arguments = (isOther ? account : []) + ["120"]
        try child.run()
        let number = child.processIdentifier
        try Deadline.wait("a bystander", seconds: 5) {
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(number)/exe"))?.hasSuffix("sleep")
                == true
        }
    }

    /// Ends it.
    public func end() {
        // Not SIGTERM, which a child of a Dispatch thread inherits blocked.
        kill(process, SIGKILL)
    }
}
