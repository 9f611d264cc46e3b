import CloudSync
import CommandWords
import FoundationEssentials
import Glibc
import Machine
import NeuroViewsCrypto
import Postgres
import PrivateCluster
import Settings

/// `backup FILE`: writes the database, the secret and the objects to one file. A server may be running.
package struct BackupCommand {
    let options: BackupOptions
    let settings: Settings

    package init(options: BackupOptions, settings: Settings) {
        self.options = options
        self.settings = settings
    }

    private var file: String { options.file }

    package func run() throws {
        let target = try target()
        let key = try options.keyPath.map(BackupKey.init)
        if options.recipient != nil { try BackupEncryption.requireProgram() }
        let database = try CommandDatabase.openExisting(settings)
        defer { database.close() }
        // Only from here on, because PostgreSQL sets its own modes. The files below contain the secret.
        umask(0o077)
        try RestoreJournal.settle(settings, database.ownerLogin)
        var secret = try secret()
        defer { secret.wipe() }
        let facts = try facts(database, secret)
        try noteInTrail(database)
        removeLeft(in: FilePath.folder(of: target))
        let folder = try WorkFolder(target + WorkFolder.backupSuffix)
        defer { folder.remove() }
        let parts = try folder.makeFolder(BackupArchive.parts)
        let rights = FolderRights(of: settings.dataFolder)
        let objects = try rights.use { try ObjectsSnapshot(settings.objectsFolder) }
        defer { try? rights.use { objects.remove() } }
        let months = try keepMonths(database)
        try withExtendedLifetime(months) { try dump(database, facts, to: parts, log: folder.path + "/log") }
        try requireUnchanged(secret)
        try writeSecret(secret, to: parts)
        try BackupManifest(
            format: BackupManifest.currentFormat,
            serverVersion: ServerVersion.current,
            migration: facts.migration ?? 0,
            postgresql: facts.serverMajor,
            createdAt: Date().formatted(.iso8601)
        ).write(to: "\(parts)/\(BackupArchive.manifest)")
        try rights.use { try objects.add() }
        var archive = try BackupArchive.seal(folder, data: objects.folder, key: key, rights)
        if let recipient = options.recipient { archive = try BackupEncryption.encrypt(archive, for: recipient) }
        let bytes = try publish(archive, as: target)
        StandardStreams.print(
            "\(file): \(bytes) bytes, accounts: \(facts.accounts), migration: \(facts.migration ?? 0)\n"
        )
    }

    /// The absolute path. It must be free or a regular file, which is replaced when the new backup is complete. An account
    /// that can change a folder on the way could read the parts, or have others signed.
    private func target() throws -> String {
        let path = URL(fileURLWithPath: file).standardizedFileURL.path
        var status = stat()
        guard stat(path, &status) != 0 || status.st_mode & S_IFMT == S_IFREG else {
            throw CommandFailure(
                "\(file) is not a file: name the file that the backup is to be.",
                status: .cannotCreate
            )
        }
        let url = URL(fileURLWithPath: path)
        do throws(GuardedPath.Problem) {
            let folder = try GuardedPath(url.deletingLastPathComponent().path).path
            return "\(folder == "/" ? "" : folder)/\(url.lastPathComponent)"
        } catch {
            throw CommandFailure("The backup can't be made there: \(error).", status: .cannotCreate)
        }
    }

    /// Each day's backup may have a file of its own, so the killed one is not made again for a month.
    private func removeLeft(in folder: String) {
        for path in WorkFolder.removeLeft(in: folder) {
            StandardStreams.print("removed \(path), which an interrupted backup had left\n")
        }
    }

    private func secret() throws -> [UInt8] {
        guard let bytes = try SecretFile.load(settings) else {
            throw CommandFailure(
                "The secret file \(settings.secretFilePath) is not there, and a backup without it is worth nothing: name it "
                    + "with NEUROVIEWS_SECRET_FILE."
            )
        }
        return bytes
    }

    /// Before the dump, so that the dump contains the note.
    private func noteInTrail(_ database: CommandDatabase) throws {
        do throws(DatabaseError) {
            try OperatorTrail.note("backup", by: OperatorName.current, database.ownerLogin)
        } catch {
            throw CommandFailure("The backup can't be noted in the trail: \(error.sentence)")
        }
    }

    /// Throws if the secret changed. The dump might need a newer key, or the secret might lack a key of the dump.
    private func requireUnchanged(_ secret: [UInt8]) throws {
        guard try self.secret() == secret else {
            throw CommandFailure("The master key was changed while the backup was made: run it again.", status: .busy)
        }
    }

    private func facts(_ database: CommandDatabase, _ secret: [UInt8]) throws -> DatabaseFacts {
        let facts = try DatabaseFacts(database.ownerLogin, secret: SecretFile.keys(secret))
        guard facts.migration != nil else {
            throw CommandFailure("The database has no tables yet, so there is nothing to back up.")
        }
        let states = try Migrator.current.status(database.ownerLogin)
        if let misfit = states.lazy.compactMap(\.misfit).first { throw misfit }
        if let sentence = SecretMisfit.sentence(facts.keys, settings.secretFilePath) { throw CommandFailure(sentence) }
        return facts
    }

    /// Dumps as the owner of the tables, because row-level security does not apply to it. The dump has no role names.
    private func dump(_ database: CommandDatabase, _ facts: DatabaseFacts, to folder: String, log: String) throws {
        let programs = try ClientPrograms.find(serverMajor: facts.serverMajor)
        let credentials = try ProgramCredentials(database, settings)
        let arguments = [
            "--format=custom", "--data-only", "--encoding=UTF8", "--schema=neuroviews",
            "--role=\(DatabaseRole.ownerName)",
            "--no-password",
            // The attempts of the last minutes are not backed up.
            "--no-unlogged-table-data",
            "--file=\(folder)/\(BackupArchive.dump)",
        ]
        let result = try ChildProcess.run(
            programs.command("pg_dump", arguments + credentials.arguments),
            log: log,
            environment: credentials.environment,
            seconds: BackupArchive.maxSeconds
        )
        guard result.status == 0 else {
            throw CommandFailure("pg_dump failed", because: result.output, writingTo: folder)
        }
    }

    /// Returns a session. Until it ends, servers drop no old months of events.
    private func keepMonths(_ database: CommandDatabase) throws -> BlockingSession {
        do throws(DatabaseError) {
            let session = try BlockingSession(database.ownerLogin)
            // A restore takes sessions with the usual name for those of a running server.
            try session.execute("SET application_name = 'neuroviews-backup'")
            try session.execute(AnalyticsMonths.keep)
            return session
        } catch {
            throw CommandFailure("The database can't be read: \(error.sentence)")
        }
    }

    private func writeSecret(_ secret: [UInt8], to folder: String) throws {
        try FileDescriptor("\(folder)/\(BackupArchive.secret)", O_WRONLY | O_CREAT | O_EXCL).write(secret)
    }

    /// Syncs the backup to disk and then gives it its final name. Returns its size in bytes.
    private func publish(_ archive: String, as target: String) throws -> Int {
        let bytes: Int
        do throws(FileError) {
            let file = try FileDescriptor(archive, O_RDONLY)
            try file.synchronize()
            bytes = Int(try file.status().st_size)
            guard rename(archive, target) == 0 else { throw FileError("create", target) }
            try FileDescriptor.synchronize(folder: URL(fileURLWithPath: target).deletingLastPathComponent().path)
        } catch {
            throw CommandFailure("The backup can't be written: \(error).", status: .cannotCreate)
        }
        return bytes
    }
}
