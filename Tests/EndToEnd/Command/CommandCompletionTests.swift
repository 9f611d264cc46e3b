import Foundation
import TestSupport
import Testing

@Suite("Completions in the shells themselves", .blocking, .timeLimit(.minutes(Patience.minutes(4))))
struct CommandCompletionTests {
    private static func has(_ shell: String) -> Bool {
        ["/usr/bin/", "/bin/"].contains { FileManager.default.isExecutableFile(atPath: $0 + shell) }
    }

    /// The build's folder comes first in PATH, so that the scripts find the command.
    private func environment(_ scene: CommandScene) -> [String: String] {
        let folder = URL(fileURLWithPath: Program.command).deletingLastPathComponent().path
        return scene.environment.merging(["PATH": "\(folder):/usr/bin:/bin", "NEUROVIEWS_CLI_PROFILE": "phone"]) { $1 }
    }

    private func scene() throws -> CommandScene {
        let scene = try CommandScene()
        try scene.open("phone")
        _ = try scene.make("Harbour at night")
        _ = FileManager.default.createFile(atPath: scene.home + "/my clip.mov", contents: Data())
        return scene
    }

    @Test("bash completes commands, options, names with spaces and files")
    func bash() throws {
        let scene = try scene()
        let script = """
            cd "$HOME"
            source <(neuroviews completion bash)
            completed() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _neuroviews; printf '%s\\n' "${COMPREPLY[@]}"; }
            completed neuroviews hi
            completed neuroviews show --ver
            completed neuroviews show 'Harbour\\ a'
            completed neuroviews show '"Harb'
            completed neuroviews upload my
            """
        let program = try Program.run(["bash", "-c", script], environment: environment(scene))
        #expect(
            program.output == "history\n--version\nHarbour\\ at\\ night\nHarbour\\ at\\ night\nmy clip.mov\n",
            "\(program.complaint)"
        )
    }

    @Test("fish completes commands, options, names with spaces and files", .enabled(if: has("fish")))
    func fish() throws {
        let scene = try scene()
        let script = """
            cd $HOME
            neuroviews completion fish | source
            for line in 'hi' 'show --ver' 'show Harbour\\\\ a' 'show "Harb' 'upload my'
                complete -C "neuroviews $line" | cut -f 1
            end
            """
        let program = try Program.run(["fish", "--no-config", "-c", script], environment: environment(scene))
        #expect(
            program.output == "history\n--version\nHarbour at night\nHarbour at night\nmy clip.mov\n",
            "\(program.complaint)"
        )
    }

    @Test("zsh completes commands, and names with spaces", .enabled(if: has("zsh")))
    func zsh() throws {
        let scene = try scene()
        let shell = try TerminalRun.run(
            ["zsh", "-f", "-i"],
            steps: [
                ("> ", "autoload -Uz compinit; compinit -u -D; source <(neuroviews completion zsh); echo rea''dy\n"),
                ("ready", ""), ("> ", "neuroviews hi\t"), ("history ", "\u{15}neuroviews show Har\t"),
                ("Harbour\\ at\\ night ", "\u{15}exit\n"),
            ],
            environment: environment(scene).merging(["PS1": "> ", "TERM": "dumb"]) { $1 }
        )
        #expect(shell.status == 0)
    }
}
