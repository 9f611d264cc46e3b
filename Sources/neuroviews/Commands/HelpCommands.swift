import CommandWords
import FoundationEssentials
import NeuroViewsClient

/// `help`, `version`, `completion`, and the hidden commands of scripts.
enum HelpCommands {
    static func help(_ call: CommandCall) async throws(Failure) -> Ending {
        guard let name = call.words.first else {
            Streams.print(HelpText.overview)
            return .done
        }
        guard let entry = Catalogue.entry(name) else { throw CommandCall.unknown(name) }
        Streams.print(HelpText.text(of: entry))
        return .done
    }

    static func version(_ call: CommandCall) async throws(Failure) -> Ending {
        Streams.print(HelpText.version)
        return .done
    }

    static func manual(_ call: CommandCall) async throws(Failure) -> Ending {
        Streams.print(Manual.text)
        return .done
    }

    static func completion(_ call: CommandCall) async throws(Failure) -> Ending {
        guard let script = CompletionScript(rawValue: call.words[0]) else { throw call.entry.misuse }
        Streams.print(script.text)
        return .done
    }

    /// Prints candidates. A profile that can't be read has none: a shell shows no errors here.
    static func complete(_ call: CommandCall) async throws(Failure) -> Ending {
        let profile = call.words.firstIndex(of: "--profile").flatMap { index in
            call.words.indices.contains(index + 1) ? call.words[index + 1] : nil
        }
        var settings = call.settings
        if let profile { settings.profile = profile }
        let device = try? CommandCall(
            entry: call.entry,
            words: [],
            options: [],
            settings: settings,
            environment: call.environment,
            output: call.output
        ).device()
        let completion = Completion(words: call.words) { operand in await items(operand, device) }
        for candidate in await completion.candidates {
            Streams.print(
                candidate.explanation.isEmpty ? candidate.word + "\n" : "\(candidate.word)\t\(candidate.explanation)\n"
            )
        }
        return .done
    }

    private static func items(_ operand: Operand, _ device: NeuroViews?) async -> [(id: String, name: String)] {
        guard let device else { return [] }
        switch operand {
        case .configuration:
            return (try? await device.configurations().map { ($0.id.text, $0.configuration.name) }) ?? []
        case .upload: return (try? await device.uploads().map { ($0.id.text, $0.file.lastPathComponent) }) ?? []
        case .lostEdit: return (try? await device.lost().map { ("\($0.id)", "") }) ?? []
        default: return []
        }
    }
}
