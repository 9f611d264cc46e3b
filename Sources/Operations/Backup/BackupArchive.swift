import FoundationEssentials
import Glibc
import Machine

/// A backup file: a tar of the manifest, the digests, the database dump, the secret and the objects.
package enum BackupArchive {
    static let manifest = "manifest.json"
    static let dump = "database.dump"
    static let secret = "secret.key"
    /// The folder of recording files, in the archive and in the data folder.
    package static let objects = "objects"
    static let digests = "SHA256SUMS"
    /// The HMAC of the digests, made with the operator's key.
    static let tag = "SHA256SUMS.hmac"
    /// The parts to pack, in a work folder.
    static let parts = "parts"
    /// In a work folder: the names of the objects, each followed by a zero byte. `found` has their digests.
    private static let names = "names"
    private static let found = "found"
    private static let archive = "backup.tar"
    /// The entries of a backup's work folder.
    static let workNames: Set = [parts, names, found, archive, BackupEncryption.path(of: archive), "log"]
    private static let required = [manifest, dump, secret]
    /// Terabytes take long, but a program that hangs must end too.
    static let maxSeconds = 86400 * 2

    /// Digests, signs and packs the parts in a work folder, and the `objects` in `data` if there are any. Returns the
    /// archive's path. Objects are read with the rights of the data folder's owner. That account can change neither the
    /// parts nor the signed digests.
    static func seal(_ folder: WorkFolder, data: String, key: BackupKey?, _ rights: FolderRights) throws -> String {
        let parts = "\(folder.path)/\(BackupArchive.parts)"
        let names = try FileDescriptor("\(folder.path)/\(names)", O_RDWR | O_CREAT | O_EXCL)
        let hasObjects = try rights.use { access("\(data)/\(objects)", F_OK) == 0 }
        try run(["/bin/sh", "-c", digestParts, "sh", digests], in: parts)
        if hasObjects { try addObjects(folder, data, names, rights) }
        try key?.sign(parts)
        for name in [digests, tag] + required where access("\(parts)/\(name)", F_OK) == 0 {
            try rights.show("\(parts)/\(name)", 0o640)
        }
        try rights.show(parts, 0o750)
        let archive = "\(folder.path)/\(archive)"
        let output = try FileDescriptor(archive, O_WRONLY | O_CREAT | O_EXCL)
        try names.rewind()
        let streams = ChildProcess.Streams(input: names.number, output: output.number)
        let command = pack(objects: hasObjects ? data : nil, hasTag: key != nil)
        try run(rights.command(command), in: parts, log: folder.path + "/log", streams)
        return archive
    }

    /// Writes the names of the objects to `names` and appends their digests to those of the parts.
    private static func addObjects(
        _ folder: WorkFolder,
        _ data: String,
        _ names: borrowing FileDescriptor,
        _ rights: FolderRights
    ) throws {
        let digests = "\(folder.path)/\(parts)/\(digests)"
        let found = try FileDescriptor("\(folder.path)/\(found)", O_RDWR | O_CREAT | O_EXCL)
        // The account may have replaced the folder with a link. A shell with its rights enters the folder, not root.
        func read(_ script: String, _ streams: ChildProcess.Streams) throws {
            let command = ["/bin/sh", "-c", "cd \"$1\" && \(script)", "sh", data]
            try run(rights.command(command), in: "/", log: folder.path + "/log", streams)
        }
        try read("find \(objects) -type f -print0", .init(output: names.number))
        try names.rewind()
        try read("xargs -0 -r sha256sum --", .init(input: names.number, output: found.number))
        try run(["/bin/sh", "-c", addScript, "sh", Self.found, digests], in: folder.path)
    }

    /// The command that packs the parts first. The names of objects are relative to `data` and are read from the input.
    private static func pack(objects data: String?, hasTag: Bool) -> [String] {
        let options = ["--create", "--format=posix", "--owner=0", "--group=0", "--numeric-owner", "--file=-"]
        let parts = [digests] + (hasTag ? [tag] : []) + required
        // Folders have no digests, so they are not packed: an incomplete archive must be recognizable.
        let list = data.map { ["--directory=\($0)", "--no-recursion", "--null", "--files-from=-"] } ?? []
        return ["/usr/bin/tar"] + options + parts + list
    }

    /// Unpacks a tar into the empty `folder`. Checks that every part is unchanged and, if there is a `key`, the
    /// signature. `name` is the tar's name in error messages.
    static func open(_ tar: borrowing FileDescriptor, named name: String, into folder: String, key: BackupKey?) throws {
        let damaged = "\(name) is not a backup of this server, or it is damaged"
        try TarContents.check(tar, named: damaged, list: folder + "/list")
        let options = ["--extract", "--no-same-owner", "--no-same-permissions", "--file=-"]
        try tar.rewind()
        // Unpacked files are for the folder's owner alone, for any modes in the tar.
        let former = umask(0o077)
        defer { umask(former) }
        let streams = ChildProcess.Streams(input: tar.number)
        try run(["/usr/bin/tar"] + options, in: folder, streams, failure: damaged)
        try requireParts(folder, damaged)
        try key?.verify(folder, name)
        try run(["/bin/sh", "-c", verifyScript, "sh", found], in: folder, failure: damaged)
        unlink("\(folder)/\(found)")
    }

    /// Writes the digests of the parts to the file `$1`.
    private static let digestParts = "sha256sum -- \(required.joined(separator: " ")) >\"$1\""

    /// Appends the objects' digests in `$1` to `$2`. The data folder's owner can write `$1`, so a line about any other
    /// file is an error.
    static let addScript = """
        set -e
        if grep -aqvE '^\\\\?[0-9a-f]{64}  \(objects)/' "$1"; then
            echo "error: a recording's file has a name that does not belong there" >&2
            exit 1
        fi
        cat "$1" >>"$2"
        """

    /// Both lists must be equal: a part without a digest is an error too. Both are sorted, because older backups have
    /// another order.
    private static let verifyScript = """
        set -e
        \(digestParts)
        if [ -d \(objects) ]; then find \(objects) -type f -print0 | xargs -0 -r sha256sum -- >>"$1"; fi
        for list in "$1" \(digests); do LC_ALL=C sort -o "$list.sorted" "$list"; done
        if ! cmp -s "$1.sorted" \(digests).sorted; then
            other=$(LC_ALL=C comm -3 "$1.sorted" \(digests).sorted | sed -n '1s/^[[:space:]]*[^ ]*  //p')
            echo "error: not as it was packed: ${other:-\(digests)}"
            exit 1
        fi
        rm "$1.sorted" \(digests).sorted
        """

    /// Returns true if a tar may have an entry of this name.
    static func isPart(_ name: some StringProtocol) -> Bool {
        guard !([digests, tag] + required).contains(where: { $0 == name }) else { return true }
        let steps = name.split(separator: "/", omittingEmptySubsequences: false)
        let isPath = (2...4).contains(steps.count) && name.utf8.count <= 255
        return isPath && steps[0] == objects && !steps.contains { ["", ".", ".."].contains($0) }
    }

    private static func requireParts(_ folder: String, _ damaged: String) throws {
        for name in required + [digests] where !isKind(S_IFREG, "\(folder)/\(name)") {
            throw CommandFailure("\(damaged): it has no \(name).", status: .data)
        }
        for name in try FileManager.default.subpathsOfDirectory(atPath: folder) {
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

    /// The warning of tar, with status 1, when another hard link of a file is deleted meanwhile. The content never
    /// changes.
    private static let harmless = "file changed as we read it"

    private static func run(
        _ command: [String],
        in folder: String,
        log: String? = nil,
        _ streams: ChildProcess.Streams = .init(),
        failure: String? = nil
    ) throws {
        let log = log ?? folder + "/log"
        let result: ChildProcess.Result
        do {
            result = try ChildProcess.runCopying(command, in: folder, log: log, streams: streams, seconds: maxSeconds)
        } catch let error as FileError where [ENOSPC, EFBIG].contains(error.code) {
            throw CommandFailure("The disk is full: \(error).", status: .cannotCreate)
        }
        unlink(log)
        let lines = result.output.split(separator: "\n")
        let isHarmless =
            failure == nil && result.status == 1 && lines.first != nil
            && lines.allSatisfy { $0.hasSuffix(harmless) }
        guard result.status != 0, !isHarmless else { return }
        throw CommandFailure(
            failure ?? "The backup could not be packed",
            because: result.output,
            writingTo: FilePath.folder(of: log),
            status: failure == nil ? .cannotCreate : .data
        )
    }
}
