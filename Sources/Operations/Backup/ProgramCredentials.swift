import FoundationEssentials
import Machine
import Postgres
import Settings

/// The database's address for PostgreSQL's programs, as environment variables, which other users can't read.
struct ProgramCredentials {
    let environment: [String: String]
    /// The few options that have no variable; none is a secret.
    let arguments: [String]

    init(_ database: CommandDatabase, _ settings: Settings) throws(CommandFailure) {
        guard let parsed = ConnectionOptions(database.ownerLogin) else {
            throw CommandFailure("NEUROVIEWS_DATABASE_URL is not valid: libpq can't take it apart.")
        }
        var environment = settings.databaseURL == nil ? [:] : Self.inherited
        var rest: [ConnectionOptions.Option] = []
        for option in parsed.options {
            if let variable = option.variable {
                environment[variable] = option.value
            } else if !option.isSecret {
                rest.append(option)
            } else {
                throw CommandFailure(
                    "\(option.keyword) in NEUROVIEWS_DATABASE_URL can't be passed on to PostgreSQL's programs: use a key "
                        + "without a passphrase."
                )
            }
        }
        self.environment = environment
        arguments = rest.isEmpty ? [] : ["--dbname", ConnectionOptions.connectionString(rest)]
    }

    /// The variables from which libpq completes the database's URL in this process too.
    private static var inherited: [String: String] {
        let home = ProcessInfo.processInfo.environment.filter { $0.key == "HOME" }
        return LibpqEnvironment.variables.merging(home) { own, _ in own }
    }
}
