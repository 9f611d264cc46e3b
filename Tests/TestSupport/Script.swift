import Foundation

/// An executable shell script.
package enum Script {
    /// Writes the script to a path, by another process. The kernel does not run a file that is open for writing. If
    /// this process opened the file, a program started at that moment could inherit the descriptor.
    package static func write(_ text: String, to path: String) throws {
        let program = try Program.run(["install", "-m", "755", "/dev/stdin", path], input: "#!/bin/sh\n" + text)
        guard program.status == 0 else { throw Program.Failure(program.complaint) }
    }
}
