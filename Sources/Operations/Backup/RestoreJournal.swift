import CloudSync
import FoundationEssentials
import Glibc
import Machine
import Postgres
import PrivateCluster
import Settings

/// Makes database, secret and objects change together. The files wait in `restore.pending`, complete and on disk. One
/// transaction replaces the database and records the restore's id. This restore, or the next start after a kill, looks
/// for that id. If it is there, the files are installed; if not, they are removed.
package enum RestoreJournal {
    static let name = "restore.pending"
    private static let identity = "id"

    /// Turns a folder with `secret.key` and perhaps `objects` into the journal of the restore `id`.
    static func begin(_ folder: WorkFolder, id: String, data: String) throws {
        try FileDescriptor("\(folder.path)/\(identity)", O_WRONLY | O_CREAT | O_EXCL).write(Array(id.utf8))
        try folder.synchronize()
        try folder.rename(to: "\(data)/\(name)")
    }

    /// Moves the secret out of the folder if the operator configured a place outside the data folder. The owner of the
    /// data folder must not choose that file's content.
    static func stageSecret(_ folder: WorkFolder, _ settings: Settings, id: String) throws {
        guard settings.secretPlace != .dataFolder else { return }
        let waiting = "\(folder.path)/\(BackupArchive.secret)"
        let rights = FolderRights(of: settings.dataFolder)
        guard var bytes = try rights.use({ try SecretFile.load(waiting, .dataFolder) }) else { return }
        defer { bytes.wipe() }
        let staged = staged(settings, id)
        try SecretFile.replace(staged, .dataFolder, with: bytes, owner: (geteuid(), getegid()))
        try rights.use { _ = unlink(waiting) }
    }

    /// The path of a secret that waits for its place outside the data folder.
    private static func staged(_ settings: Settings, _ id: String) -> String {
        "\(settings.secretFilePath).restored-\(id)"
    }

    /// Returns true if `text` is the id of a restore. Ids become parts of names, so they are checked.
    private static func isID(_ text: String) -> Bool { text.wholeMatch(of: /[0-9]{8}t[0-9]{6}_[0-9a-z]{1,4}/) != nil }

    /// Completes or discards an interrupted restore, if there is one.
    package static func settle(_ settings: Settings, _ connectionString: String) throws {
        let data = settings.dataFolder
        // Before the journal is looked for: the key of a restore that begins meanwhile must stay. Without an answer of the
        // database the keys wait for the next command.
        let forgotten = stagedKeys(settings)
        let found = try FolderRights(of: data).use { try WorkFolder(existing: "\(data)/\(name)") }
        if let folder = found {
            _ = try finish(folder, settings, connectionString)
        } else if !forgotten.isEmpty, (try? fits(settings, connectionString)) == true {
            for path in forgotten { unlink(path) }
        }
    }

    /// The keys that restores left beside the secret file. A restore leaves its key if the server that started after it
    /// has another secret file, such as a credential of systemd.
    private static func stagedKeys(_ settings: Settings) -> [String] {
        guard settings.secretPlace == .named else { return [] }
        let folder = FilePath.folder(of: settings.secretFilePath)
        let prefix = URL(fileURLWithPath: staged(settings, "")).lastPathComponent
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.filter { $0.hasPrefix(prefix) && isID(String($0.dropFirst(prefix.count))) }
            .map { "\(folder)/\($0)" }
    }

    /// Installs the files if the database was restored, and removes the folder. Returns false if it was not.
    static func finish(_ folder: WorkFolder, _ settings: Settings, _ connectionString: String) throws -> Bool {
        let rights = FolderRights(of: settings.dataFolder)
        // A folder without an id was not complete, so the database was not changed.
        let text = try? rights.use { try FileDescriptor.readOwnText("\(folder.path)/\(identity)", maxBytes: 256) }
        let id = text.flatMap { isID($0) ? $0 : nil }
        let isTaken = try id.map { try taken(connectionString) == note($0) } ?? false
        if let id, isTaken {
            let hasKey: Bool
            do {
                hasKey = try installSecret(from: folder.path, as: settings, id, rights)
                try rights.use { try installObjects(from: folder.path, into: settings.dataFolder, id) }
            } catch {
                throw CommandFailure(
                    "The restore could not be ended: \(error); it goes on with the next start with this secret file."
                )
            }
            guard try hasKey || fits(settings, connectionString) else { throw missingKey(settings) }
        }
        if let id { unlink(staged(settings, id)) }
        try rights.use { folder.remove() }
        return isTaken
    }

    /// The comment on the schema, set by the transaction that replaced it.
    static func note(_ id: String) -> String { "restored \(id)" }

    /// The path of a file or folder of the former state.
    package static func aside(_ path: String, _ id: String) -> String { "\(path).before-\(id)" }

    /// The key waits beside the secret file that the restore had. Only the operator knows that file: a path in the
    /// journal would be the choice of the data folder's owner.
    private static func missingKey(_ settings: Settings) -> CommandFailure {
        CommandFailure(
            "The restore could not be ended: the backup's master key waits beside the secret file that the restore "
                + "had, and \(settings.secretFilePath) does not fit: stop the server, as root run neuroviews-server "
                + "migrate with the --secret-file of the restore, or put the backup's secret.key there, and start "
                + "the server."
        )
    }

    /// Returns true if the secret file has the keys that the database needs. It needs none if all are compromised.
    private static func fits(_ settings: Settings, _ connectionString: String) throws -> Bool {
        let file = try SecretFile.keys(settings) ?? []
        return try withLock(connectionString) { session in
            let keys = try MasterKeyCheck.look(file, session)
            return keys.map { $0.areComplete || $0.areCompromised } ?? true
        }
    }

    private static func taken(_ connectionString: String) throws -> String? {
        try withLock(connectionString) { session in
            try session.execute(
                "SELECT obj_description(oid, 'pg_namespace') FROM pg_namespace WHERE nspname = 'neuroviews'"
            ).first?.text(0)
        }
    }

    /// Reads under the lock that the restore's transaction holds: a commit in progress must end first.
    ///
    /// Throws `DatabaseError` if the database is away: a server that starts waits for it.
    private static func withLock<R>(_ connectionString: String, _ read: (BlockingSession) throws -> R) throws -> R {
        do {
            let session = try BlockingSession(connectionString)
            try session.execute("SET lock_timeout = '60s'; SELECT pg_advisory_lock(\(Migrator.lock))")
            return try read(session)
        } catch let error as DatabaseError {
            guard !error.isAbsence else { throw error }
            throw CommandFailure("The database can't be read: \(error.sentence)")
        }
    }

    /// A complete secret file exists at every moment. Each step can be repeated. Returns false if no key waits.
    private static func installSecret(
        from folder: String,
        as settings: Settings,
        _ id: String,
        _ rights: FolderRights
    ) throws -> Bool {
        // At a place that the operator configured, the folder's owner may have no rights and must not have a choice.
        guard settings.secretPlace == .dataFolder else { return try install(staged(settings, id), settings, id) }
        return try rights.use { try install("\(folder)/\(BackupArchive.secret)", settings, id) }
    }

    private static func install(_ waiting: String, _ settings: Settings, _ id: String) throws -> Bool {
        guard var bytes = try SecretFile.load(waiting, .dataFolder) else { return false }
        defer { bytes.wipe() }
        try put(bytes, at: settings.secretFilePath, settings.secretPlace, id, owner: settings.dataFolder)
        unlink(waiting)
        return true
    }

    /// The file gets the data folder's owner, because the server reads it under that account.
    private static func put(
        _ bytes: [UInt8],
        at path: String,
        _ place: SecretFile.Place,
        _ id: String,
        owner folder: String
    ) throws(FileError) {
        var current = (try? FileDescriptor(path, O_RDONLY).read(maxBytes: SecretFile.maxBytes + 1)) ?? []
        defer { current.wipe() }
        guard current != bytes else { return }
        try keep(current, as: aside(path, id))
        var owner = stat()
        guard stat(folder, &owner) == 0 else { throw FileError("look at", folder) }
        try SecretFile.replace(path, place, with: bytes, owner: (owner.st_uid, owner.st_gid))
    }

    /// Writes a copy: where the secret file is a symbolic link, a second name of it would be one of the link.
    private static func keep(_ former: [UInt8], as path: String) throws(FileError) {
        // An earlier attempt may have kept it.
        guard !former.isEmpty, access(path, F_OK) != 0 else { return }
        guard former.count <= SecretFile.maxBytes else {
            throw FileError("keep", path, "the file there is too long for a secret: move it away")
        }
        try SecretFile.replace(path, .dataFolder, with: former, owner: (geteuid(), getegid()))
    }

    private static func installObjects(from folder: String, into data: String, _ id: String) throws(FileError) {
        let (waiting, place) = ("\(folder)/\(BackupArchive.objects)", "\(data)/\(BackupArchive.objects)")
        guard access(waiting, F_OK) == 0 else { return }
        if access(place, F_OK) == 0, rename(place, aside(place, id)) != 0 { throw FileError("keep", place) }
        guard rename(waiting, place) == 0 else { throw FileError("create", place) }
        try FileDescriptor.synchronize(folder: data)
    }
}
