import Foundation

/// A psql that is told what to do piece by piece, and stops at the first error.
final class Psql {
    /// Where it reads from; other programs may write there too.
    let input: FileHandle
    private let output: FileHandle
    private let process: ChildProcess
    private var text = ""

    private static let arguments = [
        "--no-psqlrc", "--quiet", "--tuples-only", "--no-align", "--no-password", "--set=ON_ERROR_STOP=1",
        "--set=VERBOSITY=terse", "--set=SHOW_CONTEXT=never", "--file=-",
    ]

    /// Its complaints go into `log`.
    init(_ programs: ClientPrograms, _ credentials: ProgramCredentials, log: String) throws {
        let (toPsql, fromPsql) = (Pipe(), Pipe())
        input = toPsql.fileHandleForWriting
        output = fromPsql.fileHandleForReading
        // An end that another program inherits would never be closed.
        for handle in [input, output, toPsql.fileHandleForReading, fromPsql.fileHandleForWriting] {
            _ = fcntl(handle.fileDescriptor, F_SETFD, FD_CLOEXEC)
        }
        process = try ChildProcess(
            programs.command("psql", Self.arguments + credentials.arguments),
            log: log,
            streams: .init(input: toPsql.fileHandleForReading, output: fromPsql.fileHandleForWriting),
            environment: credentials.environment
        )
        try? toPsql.fileHandleForReading.close()
        try? fromPsql.fileHandleForWriting.close()
    }

    /// A psql that has ended takes nothing more; what it complained about says why.
    func say(_ statements: String) {
        try? input.write(contentsOf: Data(statements.utf8))
    }

    /// Waits until it prints the line; false when it ends before.
    func awaitLine(_ line: String) -> Bool {
        while !text.contains(line + "\n") {
            let data = output.availableData
            if data.isEmpty { return false }
            text += String(decoding: data, as: UTF8.self)
        }
        return true
    }

    /// Ends its input and waits for its end.
    func end() {
        try? input.close()
        _ = process.wait(seconds: Double(BackupArchive.maxSeconds))
    }
}
