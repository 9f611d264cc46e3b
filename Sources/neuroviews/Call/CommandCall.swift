import CommandWords
import NeuroViewsClient

/// One call of a command, with everything that it may use.
struct CommandCall: Sendable {
    let entry: CommandEntry
    /// The words after the command's name.
    let words: [String]
    let options: [ArgumentWords.Option]
    let settings: CommandSettings
    let environment: [String: String]
    let output: Output

    var profile: Profile { Profile(settings.profile, environment) }

    var isOffline: Bool { has("--offline") }

    func has(_ flag: String) -> Bool { options.contains { $0.flag == flag } }
    func value(_ flag: String) -> String? { options.first { $0.flag == flag }?.value }
    func values(_ flag: String) -> [String] { options.filter { $0.flag == flag }.map(\.value) }

    /// The secrets of this call.
    func secrets() throws(Failure) -> SecretInput { try SecretInput(isFromInput: has("--password-stdin")) }

    /// Asks a person before something is lost. Programs, which nobody can ask, must write --yes.
    func confirm(_ question: String, otherwise remedy: String) throws(Failure) {
        if has("--yes") { return }
        guard Prompt.isPossible else { throw .usage(remedy) }
        guard try Prompt.agrees(question) else { throw Failure("Nothing was changed.", .declined) }
    }
}

extension CommandCall {
    /// Reads a command line.
    static func parse(_ arguments: [String], _ environment: [String: String]) throws(Failure) -> CommandCall {
        let words: ArgumentWords
        do {
            let switches = Catalogue.switches.union(unknownSwitches(arguments))
            words = try ArgumentWords(arguments[...], switches: switches, repeatable: Catalogue.repeatable)
        } catch {
            throw Failure(error)
        }
        guard let name = words.positional.first else {
            throw Failure(UsageError(sentence: "A command is missing.", status: .usage, showsHelp: true))
        }
        guard let entry = Catalogue.entry(name) else { throw unknown(name) }
        let positional = Array(words.positional.dropFirst())
        try refuseOthers(words.options, of: entry)
        guard entry.counts.contains(positional.count) else { throw entry.misuse }
        return CommandCall(
            entry: entry,
            words: positional,
            options: words.options,
            settings: try settings(words, environment),
            environment: environment,
            output: Output(isJSON: words.value("json") != nil)
        )
    }

    /// Options that no command has, and that no value follows: they are refused by their names.
    private static func unknownSwitches(_ arguments: [String]) -> [String] {
        zip(arguments, arguments.dropFirst() + ["--"]).filter { word, next in
            word.hasPrefix("--") && next.hasPrefix("--") && !word.contains("=") && !Catalogue.flags.contains(word)
        }.map(\.0)
    }

    static func unknown(_ name: String) -> Failure {
        .usage("\"\(name)\" is not a command: the commands are \(Catalogue.shown.map(\.name).joined(separator: ", ")).")
    }

    private static func refuseOthers(_ options: [ArgumentWords.Option], of entry: CommandEntry) throws(Failure) {
        for option in options where !entry.allOptions.contains(where: { $0.flag == option.flag }) {
            guard !["--password", "--code", "--token", "--invitation"].contains(option.flag) else {
                throw .usage(
                    "\(option.flag) is not taken, since everybody on this machine can read a command line: write --password-stdin."
                )
            }
            throw .usage("\(entry.name) has no \(option.flag): \(entry.misuse.sentence)")
        }
    }

    private static func settings(_ words: ArgumentWords, _ environment: [String: String]) throws(Failure)
        -> CommandSettings
    {
        let names = Set(CommandSettings.definitions.map(\.name))
        return try CommandSettings.combined(
            flags: words.options.filter { names.contains($0.name) }.map {
                SettingEntry(name: $0.name, value: $0.value, source: $0.flag)
            },
            environment: environment,
            file: words.value("config"),
            readFile: { (path) throws(Failure) in try FileText.read(path, maxBytes: 64 << 10) }
        )
    }
}
