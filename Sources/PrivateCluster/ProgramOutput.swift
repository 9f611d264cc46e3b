import FoundationEssentials
import Glibc
import Machine

/// Finds the useful lines in the output of PostgreSQL's programs.
package enum ProgramOutput {
    /// The first line with an error; the first line of all if there is none.
    package static func firstUsefulLine(_ output: String) -> String {
        let lines = output.split(whereSeparator: \.isNewline).filter { !$0.allSatisfy(\.isWhitespace) }
        let marks = ["FATAL:", "PANIC:", "ERROR:", "error:", "setpriv:"]
        let found = lines.first { line in marks.contains { line.contains($0) } }
        return (found ?? lines.first).map(String.init) ?? "it said nothing"
    }

    /// The output of a failed program that wrote to `folder`. A program that has filled its disk leaves an empty log.
    package static func explained(_ output: String, writingTo folder: String) -> String {
        output.allSatisfy(\.isWhitespace) && isFull(folder) ? fullDisk : output
    }

    /// The words of errno for it.
    static let fullDisk = "No space left on device"
    /// File systems keep a few blocks for themselves.
    private static let fullMaxBytes: UInt64 = 64 << 10

    private static func isFull(_ folder: String) -> Bool {
        var volume = statvfs()
        guard statvfs(folder, &volume) == 0 else { return false }
        return UInt64(volume.f_bavail) * UInt64(volume.f_frsize) < fullMaxBytes
    }

    /// The last failure in the newest file of PostgreSQL's log folder.
    static func lastFailure(inFolder folder: String) -> String? {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        let newest = names.max { modified("\(folder)/\($0)") < modified("\(folder)/\($1)") }
        guard let newest, let text = try? FileDescriptor.readTail("\(folder)/\(newest)", maxBytes: 65536) else {
            return nil
        }
        let line = text.split(whereSeparator: \.isNewline).last { $0.contains("FATAL:") || $0.contains("PANIC:") }
        return line.map(String.init)
    }

    private static func modified(_ path: String) -> Int {
        var status = stat()
        return stat(path, &status) == 0 ? status.st_mtim.tv_sec : 0
    }
}
