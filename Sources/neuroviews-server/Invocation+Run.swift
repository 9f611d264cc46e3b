import FoundationEssentials
import Glibc
import Postgres
import Synchronization

extension Invocation {
    /// Runs the command and returns the exit status.
    func run() -> Int32 {
        do {
            return try perform()
        } catch {
            StandardStreams.complain("\(error)")
            return Self.status(of: error).rawValue
        }
    }

    private static func status(of error: any Error) -> CommandFailure.Status {
        switch error {
        case let failure as CommandFailure: failure.status
        case DatabaseError.unusable(.pooler), MigrationError.database(.unusable(.pooler)): .configuration
        default: .unavailable
        }
    }

    private func perform() throws -> Int32 {
        switch self {
        case .serve(let settings): try ServeCommand(settings).run()
        case .media(let settings): try MediaCommand(settings).run()
        case .doctor(let settings, let isJSON): return DoctorCommand(settings: settings, isJSON: isJSON).run()
        case .migrate(let settings): try MigrateCommand(settings).run()
        case .migrateTrial(let settings): try MigrateCommand(settings).tryOut()
        case .migrateStatus(let settings): return try MigrateCommand(settings).printStatus()
        case .backup(let options, let settings): try BackupCommand(options: options, settings: settings).run()
        case .restore(let options, let settings): try RestoreCommand(options: options, settings: settings).run()
        case .userAdd(let email, let settings): try UserAddCommand(email: email, settings).run()
        case .user(let action, let settings): try UserCommand(action: action, settings: settings).run()
        case .invite(let email, let settings): try InviteCommand(email: email, settings: settings).run()
        case .storageCheck(let repairs, let readsFiles, let settings):
            return try StorageCheckCommand(repairs: repairs, readsFiles: readsFiles, settings: settings).run()
        case .resetClients(let accounts, let settings):
            try ResetClientsCommand(accounts: accounts, settings: settings).run()
        case .usage(let options, let settings): try UsageCommand(options: options, settings: settings).run()
        case .secret(let action, let settings): try SecretCommand(action: action, settings: settings).run()
        case .roles: StandardStreams.print(Migrator.current.administration)
        case .sign(let request): StandardStreams.print(try request.headers())
        case .help(let command): StandardStreams.print(CommandLineInterface.help(command))
        case .version: StandardStreams.print("neuroviews-server \(ServerVersion.current)\n")
        }
        return 0
    }
}

/// The version of this server.
enum ServerVersion {
    static let current = "0.1.0"
}

/// Output of a command to the user.
enum StandardStreams {
    private static let hasLost = Atomic(false)
    /// True if some printed output could not be written.
    static var hasLostOutput: Bool { hasLost.load(ordering: .relaxed) }

    static func print(_ text: String) {
        if !write(Array(text.utf8), to: STDOUT_FILENO) { hasLost.store(true, ordering: .relaxed) }
    }

    static func complain(_ sentence: String) {
        write(Array("neuroviews-server: \(sentence)\n".utf8), to: STDERR_FILENO)
    }

    /// Returns false if not all bytes could be written.
    @discardableResult static func write(_ bytes: [UInt8], to stream: Int32) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(stream, $0.baseAddress, $0.count) }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { return false }
            rest.removeFirst(count)
        }
        return true
    }
}
