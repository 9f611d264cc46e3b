import Foundation

/// The one file of a backup: a tar of the manifest, the digests, the database's dump, the secret and the objects.
enum BackupArchive {
    static let manifest = "manifest.json"
    static let dump = "database.dump"
    static let secret = "secret.key"
    /// The folder of recordings' files, here and under the data folder.
    static let objects = "objects"
    static let digests = "SHA256SUMS"
    /// Of the digests, by the operator's key.
    static let tag = "SHA256SUMS.hmac"
    /// In a work folder, what is to be packed.
    static let parts = "parts"
    private static let names = "names"
    private static let found = "found"
    private static let required = [manifest, dump, secret]
    /// Terabytes take their time; a hang must end all the same.
    static let maxSeconds = 86400 * 2

    /// Digests, signs and packs the parts in a work folder, and `objects` in the folder `data` when there are any. Gives the archive's path. What
    /// is read or run there has the rights of the data folder's owner.
    static func seal(_ folder: WorkFolder, data: String, key: BackupKey?, _ rights: FolderRights) throws -> String {
        let parts = try FileDescriptor("\(folder.path)/\(BackupArchive.parts)", O_RDONLY | O_DIRECTORY)
        for name in required { try rights.give("\(folder.path)/\(BackupArchive.parts)/\(name)") }
        try rights.give("\(folder.path)/\(BackupArchive.parts)")
        // The owner need not be able to reach the folder by its name.
        let here = "/proc/self/fd/\(parts.number)"
        let archive = folder.path + "/backup.tar"
        let output = try FileDescriptor(archive, O_WRONLY | O_CREAT | O_EXCL)
        try rights.use {
            let hasObjects = access("\(data)/\(objects)", F_OK) == 0
            try run(["/bin/sh", "-c", digestScript, "sh", hasObjects ? data : "", digests], here)
            try key?.sign(here)
            try pack(here, objects: hasObjects ? data : nil, hasTag: key != nil, into: output.handle)
        }
        return archive
    }

    /// The data folder's part is relative to `data`.
    private static func pack(_ folder: String, objects data: String?, hasTag: Bool, into output: FileHandle) throws {
        let options = ["--create", "--format=posix", "--owner=0", "--group=0", "--numeric-owner", "--file=-"]
        let parts = [digests] + (hasTag ? [tag] : []) + required
        let names = try FileDescriptor("\(folder)/\(names)", O_RDONLY | O_CREAT)
        // Folders have no digests, so they are not packed: half an archive could not be told from a whole one.
        let list = data.map { ["--directory=\($0)", "--no-recursion", "--null", "--files-from=-"] } ?? []
        let streams = ChildProcess.Streams(input: names.handle, output: output)
        try run(["/usr/bin/tar"] + options + parts + list, folder, streams)
    }

    /// Unpacks a tar into the empty `folder`, and returns when every part has been found to be what was packed, and by `key` if there is
    /// one. `name` is the tar's for the operator.
    static func open(_ tar: borrowing FileDescriptor, named name: String, into folder: String, key: BackupKey?) throws {
        let damaged = "\(name) is not a backup of this server, or it is damaged"
        try TarContents.check(tar, named: damaged, list: folder + "/list")
        let options = ["--extract", "--no-same-owner", "--no-same-permissions", "--file=-"]
        try tar.rewind()
        try run(["/usr/bin/tar"] + options, folder, ChildProcess.Streams(input: tar.handle), failure: damaged)
        try requireParts(folder, damaged)
        try key?.verify(folder, name)
        let data = access("\(folder)/\(objects)", F_OK) == 0 ? "." : ""
        try run(["/bin/sh", "-c", verifyScript, "sh", data, found], folder, failure: damaged)
        for name in [found, names] { unlink("\(folder)/\(name)") }
    }

    /// The digests of all parts, in the file `$2`. `$1` has the objects, if it is not empty.
    private static let digestScript = """
        set -e
        sha256sum -- \(required.joined(separator: " ")) >"$2"
        if [ -n "$1" ]; then
            (cd "$1"; find \(objects) -type f -print0) | LC_ALL=C sort -z >\(names)
            (cd "$1"; xargs -0 -r sha256sum --) <\(names) >>"$2"
        fi
        """

    /// They must be the same list: a part without a digest is as wrong as one with another digest. Older backups are sorted otherwise.
    private static let verifyScript = """
        \(digestScript)
        for list in "$2" \(digests); do LC_ALL=C sort -o "$list.sorted" "$list"; done
        LC_ALL=C comm -3 "$2.sorted" \(digests).sorted | sed -n '1s/^[[:space:]]*[^ ]*  /error: not as it was packed: /p' >"$2"
        rm "$2.sorted" \(digests).sorted
        if [ -s "$2" ]; then cat "$2"; exit 1; fi
        """

    /// Whether a tar may have an entry of this name.
    static func isPart(_ name: some StringProtocol) -> Bool {
        guard !([digests, tag] + required).contains(where: { $0 == name }) else { return true }
        let steps = name.split(separator: "/", omittingEmptySubsequences: false)
        return steps.count > 1 && steps[0] == objects && !steps.contains("..")
    }

    private static func requireParts(_ folder: String, _ damaged: String) throws(CommandFailure) {
        for name in required + [digests] where !isKind(S_IFREG, "\(folder)/\(name)") {
            throw CommandFailure("\(damaged): it has no \(name).", status: .data)
        }
        let paths = FileManager.default.enumerator(atPath: folder)
        while let name = paths?.nextObject() as? String {
            let path = "\(folder)/\(name)"
            guard name == objects || isPart(name), isKind(S_IFREG, path) || isKind(S_IFDIR, path) else {
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

    private static func run(
        _ command: [String],
        _ folder: String,
        _ streams: ChildProcess.Streams = .init(),
        failure: String? = nil
    ) throws {
        let log = folder + "/log"
        let result = try ChildProcess.run(command, log: log, streams: streams, folder: folder, seconds: maxSeconds)
        unlink(log)
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
