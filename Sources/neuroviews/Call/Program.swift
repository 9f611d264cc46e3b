import CommandWords
import Glibc

/// The program: a command line becomes an exit status.
enum Program {
    static func run(arguments: [String], environment: [String: String]) async -> Int32 {
        let work = Task { await answer(arguments, environment) }
        Interruption.whenStopped { work.cancel() }
        let status = await work.value
        guard status == 0, Streams.hasLostOutput else { return status }
        Streams.complain("neuroviews: \(Failure.lostOutput.sentence)\n")
        return Failure.lostOutput.status.rawValue
    }

    private static func answer(_ arguments: [String], _ environment: [String: String]) async -> Int32 {
        // Before parsing, so that a person who looks for help gets it.
        if let topic = helpTopic(arguments) {
            Streams.print(topic)
            return 0
        }
        var entry: CommandEntry?
        do {
            let call = try CommandCall.parse(arguments, environment)
            entry = call.entry
            return try await call.entry.run(call).status
        } catch {
            return report(error, entry, isJSON: arguments.contains("--json"))
        }
    }

    private static func report(_ failure: Failure, _ entry: CommandEntry?, isJSON: Bool) -> Int32 {
        let output = Output(isJSON: isJSON)
        // After a signal, whatever failed did so because it was stopped.
        guard let status = Interruption.status else {
            output.failure(failure, status: failure.status.rawValue)
            if failure.showsHelp { Streams.complain(HelpText.overview) }
            return failure.status.rawValue
        }
        let place = failure.place.map { " \($0)" } ?? ""
        output.failure(Failure("Stopped; \(entry?.afterStop ?? "nothing is lost").\(place)", .software), status: status)
        return status
    }

    /// The text for `--help`, `-h` and `--version`; nil for other calls. After `--` no word is an option.
    private static func helpTopic(_ arguments: [String]) -> String? {
        let words = arguments.prefix { $0 != "--" }
        if words.first == "--version" { return HelpText.version }
        guard words.contains("--help") || words.contains("-h") else { return nil }
        guard let entry = words.lazy.compactMap({ Catalogue.entry($0) }).first else { return HelpText.overview }
        return HelpText.text(of: entry)
    }
}
