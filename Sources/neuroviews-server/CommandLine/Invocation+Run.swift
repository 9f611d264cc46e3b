import CloudSync
import CommandWords
import Machine
import Operations
import Postgres
import PrivateCluster

extension Invocation {
    /// Runs the command and returns the exit status.
    func run() -> Int32 {
        do {
            return try perform()
        } catch {
            StandardStreams.complain(Self.sentence(of: error))
            return Self.status(of: error).rawValue
        }
    }

    /// The error and its remedy.
    static func sentence(of error: any Error) -> String {
        switch error {
        case let error as DatabaseError: error.sentence
        // Some reasons are sentences with their remedy.
        case CloudSyncError.databaseUnavailable(let reason) where reason.hasSuffix("."): reason
        case CloudSyncError.databaseUnavailable(let reason): DatabaseError.unavailable(reason).sentence
        default: "\(error)"
        }
    }

    private static func status(of error: any Error) -> ExitStatus {
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
        case .acceptClock(let settings): try AcceptClockCommand(settings).run()
        case .usage(let options, let settings): try UsageCommand(options: options, settings: settings).run()
        case .console(let port, let isReadOnly, let settings):
            try ConsoleCommand(port: port, isReadOnly: isReadOnly, settings).run()
        case .secret(let action, let settings): try SecretCommand(action: action, settings: settings).run()
        case .roles: StandardStreams.print(Migrator.current.administration)
        case .sign(let request): StandardStreams.print(try request.headers())
        case .help(let command): StandardStreams.print(CommandLineInterface.help(command))
        case .version: StandardStreams.print("neuroviews-server \(ServerVersion.current)\n")
        }
        return 0
    }
}
