import CommandWords
import Glibc

/// The person's editor: $VISUAL, $EDITOR or vi, run by a shell as other programs do, since the variables may have options.
enum Editor {
    static func open(_ path: String, _ environment: [String: String]) throws(Failure) {
        let named = [environment["VISUAL"], environment["EDITOR"]].compactMap { $0 }.first { !$0.isEmpty }
        guard named != nil || Streams.isTerminal(STDIN_FILENO) else {
            throw .usage("There is no terminal for an editor: write --set POINTER=JSON, or set EDITOR.")
        }
        let editor = named ?? "vi"
        Interruption.setEditor(true)
        defer { Interruption.setEditor(false) }
        let status = try run("\(editor) \"$1\"", path, environment)
        guard status == 0 else {
            throw Failure("The editor (\(editor)) ended with status \(status); nothing was changed.", .unavailable)
        }
    }

    private static func run(_ script: String, _ path: String, _ environment: [String: String]) throws(Failure) -> Int32
    {
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        setSignals(of: &attributes)
        let arguments: [String] = ["sh", "-c", script, "sh", path]
        var words = arguments.map { strdup($0) } + [nil]
        var variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for string in words + variables { free(string) } }
        var child = pid_t()
        guard posix_spawn(&child, "/bin/sh", nil, &attributes, &words, &variables) == 0 else {
            throw Failure("The editor can't be started.", .unavailable)
        }
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0 && errno == EINTR {}
        return status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + (status & 0x7F)
    }

    /// This program blocks signals, and ignores SIGPIPE; the editor has them as usual.
    private static func setSignals(of attributes: inout posix_spawnattr_t) {
        var (usual, none) = (sigset_t(), sigset_t())
        sigemptyset(&usual)
        sigemptyset(&none)
        for signal in [SIGPIPE, SIGINT, SIGTERM] { sigaddset(&usual, signal) }
        posix_spawnattr_setsigdefault(&attributes, &usual)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))
    }
}
