import Foundation

/// A failure of a command: one sentence that says what to do.
struct CommandFailure: Error, CustomStringConvertible {
    /// EX_UNAVAILABLE of sysexits.h: something that the server needs is not there.
    static let status: Int32 = 69
    let description: String

    init(_ sentence: String) { description = sentence }
}

extension Invocation {
    /// Does what the command line asks for, and returns the exit status.
    func run() -> Int32 {
        do {
            switch self {
            case .serve(let settings): try ServeCommand(settings).run()
            case .migrate(let settings): try MigrateCommand(settings).run()
            case .userAdd(let email, let settings): try UserAddCommand(email: email, settings).run()
            case .sign(let request): StandardStreams.print(try request.headers())
            case .help(let command): StandardStreams.print(CommandLineInterface.help(command))
            case .version: StandardStreams.print("neuroviews-server \(ServerVersion.current)\n")
            }
            return 0
        } catch {
            StandardStreams.complain("\(error)")
            return CommandFailure.status
        }
    }
}

/// The version of this server.
enum ServerVersion {
    static let current = "0.1.0"
}

/// What a command says to whoever started it.
enum StandardStreams {
    static func print(_ text: String) { FileHandle.standardOutput.write(Data(text.utf8)) }

    static func complain(_ sentence: String) {
        try? FileHandle.standardError.write(contentsOf: Data("neuroviews-server: \(sentence)\n".utf8))
    }
}
