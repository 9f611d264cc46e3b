import Foundation

/// A shell script that is run as a program.
public enum Script {
    /// Writes it to a path. Another process does: as long as this one had the file open, a program that it starts meanwhile would have, too, and the
    /// kernel runs no file that is open for writing.
    public static func write(_ text: String, to path: String) throws {
        let program = try Program.run(["install", "-m", "755", "/dev/stdin", path], input: "#!/bin/sh\n" + text)
        guard program.status == 0 else { throw Program.Failure(program.complaint) }
    }
}
