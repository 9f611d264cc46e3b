/// What keeps a program in the box away from everything else.
public enum BoxWalls: Sendable, Equatable {
    /// Namespaces of its own, made by bubblewrap: no network, no other process, and no file but libraries, the program, the
    /// input and the output. Where /proc/sys can't be written, the program could make namespaces of its own in there.
    case namespaces(bubblewrap: String, canNest: Bool)
    /// None: this machine allows no user namespaces, or bubblewrap is not installed. Limits alone hold.
    case none

    /// Where the program finds its input and output, as ffmpeg writes it. The names inside have no characters that mean
    /// something.
    func names(input: String, output: String?) -> (input: String, output: String) {
        switch self {
        case .namespaces: ("file:" + Self.input, "file:" + Self.output)
        case .none: ("file:" + input, "file:" + (output ?? "/dev/null"))
        }
    }

    /// The command that starts `program` behind these walls.
    func command(program: String, input: String, output: String?) -> [String] {
        guard case .namespaces(let bubblewrap, let canNest) = self else { return [program] }
        var words = [bubblewrap] + Self.namespaces + (canNest ? [] : ["--disable-userns"])
        for folder in Self.libraries { words += ["--ro-bind-try", folder, folder] }
        words += ["--ro-bind", program, program, "--ro-bind", input, Self.input]
        if let output { words += ["--bind", output, Self.output] }
        // The root is a file system in memory.
        return words + ["--remount-ro", "/", "--chdir", "/", program]
    }

    private static let input = "/input"
    private static let output = "/output"

    private static let namespaces = [
        "--unshare-user", "--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts", "--unshare-cgroup-try",
        "--die-with-parent", "--cap-drop", "ALL",
    ]

    /// Debian's ffmpeg reaches some libraries through alternatives.
    private static let libraries = [
        "/usr/lib", "/usr/lib64", "/usr/local/lib", "/lib", "/lib64", "/etc/alternatives", "/etc/ld.so.cache",
    ]
}
