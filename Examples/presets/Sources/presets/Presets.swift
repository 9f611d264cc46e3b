import Foundation
import NeuroViewsClient

/// A small app of the library, for the terminal: each run does one thing, and sends what it can.
@main
struct Presets {
    private static let usage = """
        presets SERVER login EMAIL       asks for the password
        presets SERVER list
        presets SERVER new NAME
        presets SERVER iso ID NUMBER
        presets SERVER delete ID
        presets SERVER lost
        presets SERVER upload FILE
        presets SERVER follow            shows changes until Ctrl-C
        """

    static func main() async {
        let words = Array(CommandLine.arguments.dropFirst())
        guard words.count >= 2, let server = URL(string: words[0]) else { return end(usage, 64) }
        do {
            let presets = Presets(client: try NeuroViews(server: server, options()))
            guard try await presets.run(words[1], Array(words.dropFirst(2))) else { return end(usage, 64) }
        } catch {
            // The errors of the library name the remedy.
            end("\(error)", 1)
        }
    }

    private static func options() -> Options {
        var options = Options()
        options.folder = FileManager.default.homeDirectoryForCurrentUser.appendingPathComponent(".presets")
        options.deviceName = "presets"
        return options
    }

    private static func end(_ text: String, _ status: Int32) {
        FileHandle.standardError.write(Data((text + "\n").utf8))
        exit(status)
    }

    let client: NeuroViews

    /// Runs a command. Returns false for one that is not known.
    private func run(_ command: String, _ words: [String]) async throws -> Bool {
        switch (command, words.count) {
        case ("login", 1): try await logIn(words[0])
        case ("list", 0): try await list()
        case ("new", 1): try await make(words[0])
        case ("iso", 2): try await setISO(words[0], words[1])
        case ("delete", 1): try await delete(words[0])
        case ("lost", 0): try await lost()
        case ("upload", 1): try await upload(words[0])
        case ("follow", 0): try await follow()
        default: return false
        }
        return true
    }
}
