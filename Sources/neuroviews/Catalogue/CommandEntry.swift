/// One command: a row of the table from which parsing, help, the man page and the completions are made.
struct CommandEntry: Sendable {
    let name: String
    /// The ways to write it, without the program's name: `show ID [--version TAG]`.
    let forms: [String]
    /// What it does, in a line.
    let summary: String
    /// More about it, for its help.
    var text = ""
    /// The columns of its table; none if it prints no table.
    var columns: [String] = []
    var options: [CommandOption] = []
    /// The words that follow the name, for completions. The last one repeats if more words are allowed.
    var operands: [Operand] = []
    /// How many words may follow the name.
    var counts: ClosedRange<Int> = 0...0
    /// True for commands that scripts of this program call. Help does not list them.
    var isHidden = false
    /// False for commands that use no profile and have one form of output.
    var takesGeneralOptions = true
    /// How the user goes on after Ctrl-C: the end of "Stopped; ".
    var afterStop = "nothing is lost"
    let run: @Sendable (CommandCall) async throws(Failure) -> Ending

    /// The options of this command and those of all commands.
    var allOptions: [CommandOption] { options + (takesGeneralOptions ? CommandOption.general : []) }

    /// The operand at a place, counted from 0.
    func operand(_ index: Int) -> Operand? {
        guard index < counts.upperBound, let last = operands.last else { return nil }
        return index < operands.count ? operands[index] : last
    }

    /// The error of a call that no form allows.
    var misuse: Failure { .usage("Write \(forms.map { "neuroviews \($0)" }.joined(separator: ", or ")).") }
}

/// An option of a command.
struct CommandOption: Sendable {
    /// `--version`.
    let flag: String
    /// The name of its value; nil for a switch.
    var value: String?
    let explanation: String
    var isRepeatable = false
    var operand = Operand.other
    /// The setting's environment variable and default, for an option that is one.
    var setting: (variable: String, standard: String)?
}

/// What a word of the command line names.
enum Operand: Sendable {
    case words([String])
    case configuration, upload, lostEdit, file, command, other
}

/// The outcome of a command that did not fail.
enum Ending: Sendable {
    case done
    /// Done, but something is refused, held or lost, or one of several things failed.
    case undone

    var status: Int32 { self == .done ? 0 : 1 }
}
