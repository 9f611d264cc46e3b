import CloudSync
import CommandWords
import Machine
import Settings

/// Parses the command line. A pure function of arguments, environment and a function that reads a file.
enum CommandLineInterface {
    /// `arguments` are without the program's name. `readFile` and `isPublic` get only the settings file. Errors of
    /// `readFile` are shown to the user and should name the file.
    static func parse(
        arguments: [String],
        environment: [String: String],
        isPublic: @escaping (String) -> Bool = FileDescriptor.isPublic,
        readFile: @escaping (String) throws -> String
    ) -> Result<Invocation, UsageError> {
        do throws(UsageError) {
            let sources = SettingSources(environment: environment, isPublic: isPublic, readFile: readFile)
            return .success(try invocation(arguments, sources))
        } catch {
            return .failure(error)
        }
    }

    private static func invocation(
        _ arguments: [String],
        _ sources: SettingSources
    ) throws(UsageError) -> Invocation {
        guard let first = arguments.first else {
            throw UsageError(sentence: "A command is missing.", status: .usage, showsHelp: true)
        }
        switch first {
        case "--help", "-h": return .help(nil)
        case "--version": return .version
        case "help": return .help(try helpTopic(arguments.dropFirst()))
        default: break
        }
        guard !first.hasPrefix("-") else {
            throw .usage("The command comes first: neuroviews-server serve \(first) …")
        }
        guard let command = Command(rawValue: first) else { throw unknown(command: first) }
        return try invocation(of: command, arguments.dropFirst(), sources)
    }

    private static func invocation(
        of command: Command,
        _ arguments: ArraySlice<String>,
        _ sources: SettingSources
    ) throws(UsageError) -> Invocation {
        if arguments.contains("--help") || arguments.contains("-h") { return .help(command) }
        if command == .roles {
            try refuse(Array(arguments), of: .roles)
            return .roles
        }
        if command == .sign { return .sign(try signRequest(arguments)) }
        let words = try ArgumentWords(arguments, switches: command.switches)
        switch command {
        case .doctor: return try doctor(words, sources)
        case .migrate: return try migrate(words, sources)
        case .backup: return try backup(words, sources)
        case .restore: return try restore(words, sources)
        case .admin: return try admin(words, sources)
        case .storage: return try storage(words, sources)
        case .user: return try user(words, sources)
        case .invite: return try invite(words, sources)
        case .usage: return try usage(words, sources)
        case .console: return try console(words, sources)
        case .secret: return try secret(words, sources)
        case .serve, .media, .roles, .sign:
            let settings = try settings(words, sources)
            try refuse(words.positional, of: command)
            return command == .media ? .media(settings) : .serve(settings)
        }
    }

    static func settings(_ words: ArgumentWords, _ sources: SettingSources) throws(UsageError) -> Settings {
        var sources = sources
        sources.flags = words.options.filter { $0.name != "settings" }.map { option in
            SettingSources.Entry(name: option.name, value: option.value, source: option.flag)
        }
        return try sources.settings(file: words.value("settings"))
    }

    /// Accepts more than registration does, because older accounts may have such addresses.
    static func email(_ typed: String) throws(UsageError) -> String {
        let text = MailAddress.spelling(of: typed)
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty }), !text.contains(where: \.isWhitespace) else {
            throw notAnAddress(text)
        }
        return text
    }

    static func notAnAddress(_ text: String) -> UsageError {
        .usage("\"\(text)\" is not an e-mail address: write name@example.org.")
    }

    private static func helpTopic(_ words: ArraySlice<String>) throws(UsageError) -> Command? {
        guard let word = words.first else { return nil }
        guard let command = Command(rawValue: word) else { throw unknown(command: word) }
        return command
    }

    private static func unknown(command: String) -> UsageError {
        let all = Command.allCases.map(\.rawValue).joined(separator: ", ")
        return .usage("\"\(command)\" is not a command: the commands are \(all) and help.")
    }
}
