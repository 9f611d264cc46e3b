import Foundation

/// The one file of a backup: a tar of the manifest, the digests, the database's dump, the secret and the objects.
enum BackupArchive {
    static let manifest = "manifest.json"
    static let dump = "database.dump"
    static let secret = "secret.key"
    /// The folder of recordings' files, here and under the data folder.
    static let objects = "objects"
    static let digests = "SHA256SUMS"
    private static let names = "names"
    private static let required = [manifest, dump, secret]
    /// Terabytes take their time; a hang must end all the same.
    static let maxSeconds = 86400 * 2

    /// Digests and packs what stands in `folder`, with `objects` in the folder `data` when there are any. Gives the archive's path.
    static func seal(_ folder: String, data: String) throws -> String {
        let archive = folder + "/backup.tar"
        let hasObjects = access("\(data)/\(objects)", F_OK) == 0
        try run(["/bin/sh", "-c", digestScript, "sh", folder, hasObjects ? data : ""], folder)
        // Folders have no digests, so they are not packed: half an archive could not be told from a whole one.
        let objectArguments =
            hasObjects ? ["--directory=\(data)", "--no-recursion", "--null", "--files-from=\(folder)/\(names)"] : []
        let options = ["--create", "--format=posix", "--owner=0", "--group=0", "--numeric-owner", "--file=\(archive)"]
        try run(["/usr/bin/tar"] + options + ["--directory=\(folder)", digests] + required + objectArguments, folder)
        return archive
    }

    /// Unpacks `file` into the empty `folder`, and returns when every part has been found to be what was packed.
    static func open(_ file: String, into folder: String) throws {
        let path = URL(fileURLWithPath: file).standardizedFileURL.path
        let damaged = "\(file) is not a backup of this server, or it is damaged"
        let options = ["--extract", "--no-same-owner", "--no-same-permissions", "--file=\(path)"]
        try run(["/usr/bin/tar"] + options + ["--directory=\(folder)"], folder, failure: damaged)
        unlink(folder + "/log")
        try requireParts(folder, damaged)
        try run(["/bin/sh", "-c", verifyScript, "sh", folder], folder, failure: damaged)
        unlink(folder + "/log")
    }

    private static let digestScript = """
        set -e
        cd "$1"
        sha256sum -- \(required.joined(separator: " ")) >\(digests)
        if [ -n "$2" ]; then
            cd "$2"
            find \(objects) -type f -print0 | sort -z >"$1/\(names)"
            xargs -0 -r sha256sum -- <"$1/\(names)" >>"$1/\(digests)"
        fi
        """

    /// A part that is there and has no digest is as wrong as one with another digest.
    private static let verifyScript = """
        set -e
        cd "$1"
        sha256sum --check --strict --quiet \(digests)
        listed=$(grep -c . \(digests))
        found=$(find . -type f ! -path ./\(digests) ! -path ./log -print0 | tr -dc '\\0' | wc -c)
        test "$listed" -eq "$found" || { echo "error: $found files and $listed digests"; exit 1; }
        """

    private static func requireParts(_ folder: String, _ damaged: String) throws(CommandFailure) {
        for name in required + [digests] where !isKind(S_IFREG, "\(folder)/\(name)") {
            throw CommandFailure("\(damaged): it has no \(name).", status: .data)
        }
        let paths = FileManager.default.enumerator(atPath: folder)
        while let name = paths?.nextObject() as? String {
            let path = "\(folder)/\(name)"
            let isPart = name == objects || name.hasPrefix(objects + "/") || (required + [digests]).contains(name)
            guard isPart, isKind(S_IFREG, path) || isKind(S_IFDIR, path) else {
                throw CommandFailure("\(damaged): \(name) does not belong into one.", status: .data)
            }
        }
    }

    private static func isKind(_ kind: mode_t, _ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_mode & S_IFMT == kind
    }

    /// What tar says, with status 1, of a file whose other link is deleted meanwhile. Its content never changes.
    private static let harmless = "file changed as we read it"

    private static func run(_ command: [String], _ folder: String, failure: String? = nil) throws {
        let result = try ChildProcess.run(command, log: folder + "/log", seconds: maxSeconds)
        let lines = result.output.split(separator: "\n")
        let isHarmless =
            failure == nil && result.status == 1 && lines.first != nil
            && lines.allSatisfy { $0.hasSuffix(harmless) }
        guard result.status != 0, !isHarmless else { return }
        let reason = ProgramOutput.firstUsefulLine(result.output)
        let isFull = result.output.contains("No space left") || result.output.contains("File too large")
        if isFull { throw CommandFailure("The disk is full: \(reason).", status: .cannotCreate) }
        throw CommandFailure(
            "\(failure ?? "The backup could not be packed"): \(reason).",
            status: failure == nil ? .cannotCreate : .data
        )
    }
}
