import FoundationEssentials
import Glibc
import Postgres

/// What makes database, secret and objects change together: the files wait in `restore.pending`, complete and on the disk,
/// while the database is replaced in one transaction that also notes the restore's name. Whoever finds the folder later
/// (this restore, or the next start after a kill) looks for the name: it is there, and the files follow; or it isn't, and
/// they go.
enum RestoreJournal {
    static let name = "restore.pending"
    private static let identity = "id"

    /// Turns a folder with `secret.key` and perhaps `objects` into the journal of the restore `id`.
    static func begin(_ folder: WorkFolder, id: String, data: String) throws {
        try FileDescriptor("\(folder.path)/\(identity)", O_WRONLY | O_CREAT | O_EXCL).write(Array(id.utf8))
        try folder.synchronize()
        try folder.rename(to: "\(data)/\(name)")
    }

    /// Takes the secret out of the folder, where a place outside the data folder was named for it: who owns that folder must not choose what comes to
    /// that place.
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

    /// Where a secret waits for its place outside the data folder.
    private static func staged(_ settings: Settings, _ id: String) -> String {
        "\(settings.secretFilePath).restored-\(id)"
    }

    /// Whether this is what a restore is named: it becomes a part of names.
    private static func isID(_ text: String) -> Bool { text.wholeMatch(of: /[0-9]{8}t[0-9]{6}_[0-9a-z]{1,4}/) != nil }

    /// Ends a restore that was interrupted. Does nothing when none was.
    static func settle(_ settings: Settings, _ connectionString: String) throws {
        let data = settings.dataFolder
        let found = try FolderRights(of: data).use { try WorkFolder(existing: "\(data)/\(name)") }
        guard let folder = found else { return }
        _ = try finish(folder, settings, connectionString)
    }

    /// Puts the files in their places when the database has taken the restore, and removes the folder. False: it has not.
    static func finish(_ folder: WorkFolder, _ settings: Settings, _ connectionString: String) throws -> Bool {
        let rights = FolderRights(of: settings.dataFolder)
        // Without a name the folder was not complete, so the database can't have been touched.
        let text = try? rights.use { try FileDescriptor.readOwnText("\(folder.path)/\(identity)", maxBytes: 256) }
        let id = text.flatMap { isID($0) ? $0 : nil }
        let isTaken = try id.map { try taken(connectionString) == note($0) } ?? false
        if let id, isTaken {
            do {
                try installSecret(from: folder.path, as: settings, id, rights)
                try rights.use { try installObjects(from: folder.path, into: settings.dataFolder, id) }
            } catch {
                throw CommandFailure("The restore could not be ended: \(error); it goes on with the next start.")
            }
        }
        if let id { unlink(staged(settings, id)) }
        try rights.use { folder.remove() }
        return isTaken
    }

    /// The comment of the schema, from the transaction that replaced it.
    static func note(_ id: String) -> String { "restored \(id)" }

    /// What is kept of the former state has this at the end of its name.
    static func aside(_ path: String, _ id: String) -> String { "\(path).before-\(id)" }

    /// Behind the lock that the restore's transaction holds: one whose commit is still being done counts as taken or not only
    /// when it has ended.
    private static func taken(_ connectionString: String) throws -> String? {
        do throws(DatabaseError) {
            let session = try BlockingSession(connectionString)
            try session.execute("SET lock_timeout = '60s'; SELECT pg_advisory_lock(\(Migrator.lock))")
            return try session.execute(
                "SELECT obj_description(oid, 'pg_namespace') FROM pg_namespace WHERE nspname = 'neuroviews'"
            ).first?.text(0)
        } catch {
            throw CommandFailure("The database can't be read: \(error.sentence)")
        }
    }

    /// There is a complete secret file at every moment. Each step may have been done before.
    private static func installSecret(
        from folder: String,
        as settings: Settings,
        _ id: String,
        _ rights: FolderRights
    ) throws {
        // Where the operator named another place, the folder's owner need not have rights, and has no say.
        let place = settings.secretPlace
        if place == .dataFolder {
            try rights.use { try install("\(folder)/\(BackupArchive.secret)", settings, id) }
        } else {
            try install(staged(settings, id), settings, id)
        }
    }

    private static func install(_ waiting: String, _ settings: Settings, _ id: String) throws {
        guard var bytes = try SecretFile.load(waiting, .dataFolder) else { return }
        defer { bytes.wipe() }
        try put(bytes, at: settings.secretFilePath, settings.secretPlace, id, owner: settings.dataFolder)
        unlink(waiting)
    }

    /// The server has to read it under the account that the data folder belongs to.
    private static func put(
        _ bytes: [UInt8],
        at path: String,
        _ place: SecretFile.Place,
        _ id: String,
        owner folder: String
    ) throws(FileError) {
        let current = try? FileDescriptor(path, O_RDONLY).read(maxBytes: SecretFile.maxBytes + 1)
        guard current != bytes else { return }
        if current != nil, link(path, aside(path, id)) != 0, errno != EEXIST { throw FileError("keep", path) }
        var owner = stat()
        guard stat(folder, &owner) == 0 else { throw FileError("look at", folder) }
        try SecretFile.replace(path, place, with: bytes, owner: (owner.st_uid, owner.st_gid))
    }

    private static func installObjects(from folder: String, into data: String, _ id: String) throws(FileError) {
        let (waiting, place) = ("\(folder)/\(BackupArchive.objects)", "\(data)/\(BackupArchive.objects)")
        guard access(waiting, F_OK) == 0 else { return }
        if access(place, F_OK) == 0, rename(place, aside(place, id)) != 0 { throw FileError("keep", place) }
        guard rename(waiting, place) == 0 else { throw FileError("create", place) }
        try FileDescriptor.synchronize(folder: data)
    }
}
