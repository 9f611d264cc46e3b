/// The isolation of a program in the box.
package enum BoxWalls: Sendable, Equatable {
    /// Own namespaces, made by bubblewrap: no network and no other processes. The only files are libraries, the
    /// program, the input and the output. `canNest` is true where /proc/sys is not writable: the program could then
    /// make its own namespaces.
    case namespaces(bubblewrap: String, canNest: Bool)
    /// No isolation, only limits: user namespaces are forbidden here, or bubblewrap is not installed. Only where the
    /// operator accepts that.
    case none

    /// Returns the program's input and output in ffmpeg's form. The names in the box have no special characters.
    func names(input: String, output: String?) -> (input: String, output: String) {
        switch self {
        case .namespaces: ("file:" + Self.input, "file:" + Self.output)
        case .none: ("file:" + input, "file:" + (output ?? "/dev/null"))
        }
    }

    /// A name of `names` in the form of other programs.
    static func path(_ name: String) -> String { String(name.dropFirst("file:".count)) }

    /// Returns the command that starts `program` in this isolation.
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

    /// Debian's ffmpeg finds some libraries through alternatives.
    private static let libraries = [
        "/usr/lib", "/usr/lib64", "/usr/local/lib", "/lib", "/lib64", "/etc/alternatives", "/etc/ld.so.cache",
    ]
}
