import CloudSync
import FoundationEssentials
import Glibc
import Machine
import NeuroViewsCrypto
import Postgres
import PrivateCluster
import Settings
import Storage

/// `restore FILE`: restores a backup on this machine. The former state is kept aside.
package struct RestoreCommand {
    let options: RestoreOptions
    let settings: Settings

    package init(options: RestoreOptions, settings: Settings) {
        self.options = options
        self.settings = settings
    }

    private var file: String { options.file }

    package func run() throws {
        let source = try source()
        let key = try options.keyPath.map(BackupKey.init)
        let data = try DataDirectory.prepare(settings.data)
        let rights = FolderRights(of: data)
        let folder = try rights.use { try WorkFolder(data + "/restore.new") }
        // Once the folder is the journal of a restore, only the database's state decides about it.
        defer { if !folder.isRenamed { try? rights.use { folder.remove() } } }
        let tar = try BackupEncryption.open(
            source,
            named: file,
            identity: options.identity,
            folder: folder.path,
            rights
        )
        let manifest = try rights.use {
            try BackupArchive.open(tar, named: file, into: folder.path, key: key)
            return try BackupManifest.read("\(folder.path)/\(BackupArchive.manifest)")
        }
        try manifest.requireKnown()
        let database = try start()
        defer { database.close() }
        umask(0o077)
        try RestoreJournal.settle(settings, database.ownerLogin)
        let before = try requireReplaceable(database, folder.path)
        try requireMovableObjects()
        let ledger = ErasureLedger(dataFolder: data, database.ownerLogin)
        // Records first the erasures that only the database knows: the restore replaces it.
        _ = try ledger.settle()
        let id = try replace(database, before, manifest, folder)
        try Migrator.current.run(database.ownerLogin)
        try OperatorTrail.note("restore", by: OperatorName.current, database.ownerLogin)
        let erasedAgain = try ledger.settle()
        try ledger.eraseRows()
        try report(database, manifest, before, id)
        if erasedAgain > 0 { StandardStreams.print("accounts erased again: \(erasedAgain)\n") }
    }

    private func source() throws -> FileDescriptor {
        let path = try options.keyPath == nil ? guardedPath() : file
        do throws(FileError) {
            return try FileDescriptor(path, O_RDONLY)
        } catch {
            throw CommandFailure("\(error): name a backup that can be read.", status: .noInput)
        }
    }

    /// Without a key, only the file's place shows that no other account made it. The owner of the data folder reads and
    /// changes everything anyway.
    private func guardedPath() throws(CommandFailure) -> String {
        var status = stat()
        let owner = stat(settings.dataFolder, &status) == 0 ? status.st_uid : 0
        do throws(GuardedPath.Problem) {
            return try GuardedPath(file, trusting: [owner]).path
        } catch {
            guard let remedy = error.remedy else {
                throw CommandFailure("\(error): name a backup that can be read.", status: .noInput)
            }
            throw CommandFailure(
                "Without --key-file nothing shows who made the backup: \(error.detail); \(remedy), or copy the file if you know it.",
                status: .noInput
            )
        }
    }

    private func start() throws -> CommandDatabase {
        do {
            return try CommandDatabase.open(settings)
        } catch PrivateClusterProblem.lock(.inUse(let folder, let process)) {
            let holder = process.map { "process \($0)" } ?? "another process"
            throw CommandFailure(
                "The data folder \(folder) is in use by \(holder): stop the server first.",
                status: .busy
            )
        }
    }

    private func requireReplaceable(_ database: CommandDatabase, _ folder: String) throws -> DatabaseFacts {
        let facts = try DatabaseFacts(database.ownerLogin, secret: nil)
        guard !options.replaces else { return facts }
        let objects = "\(settings.dataFolder)/\(BackupArchive.objects)"
        let hasObjects = try Self.hasFiles(objects)
        guard facts.accounts == 0, !hasObjects else {
            throw CommandFailure(
                "There is something already (accounts: \(facts.accounts)\(hasObjects ? ", objects" : "")): add --replace, and "
                    + "the backup takes its place; what is there is kept aside."
            )
        }
        return facts
    }

    /// The folder of objects is renamed after database and secret were replaced. A mount point can't be renamed.
    private func requireMovableObjects() throws {
        let objects = "\(settings.dataFolder)/\(BackupArchive.objects)"
        guard try MountPoints.current().contains(objects) else { return }
        throw CommandFailure(
            "\(objects) is a volume of its own, which can't be put aside; nothing was changed: unmount it, restore, move what is then in "
                + "\(objects) to the emptied volume, and mount it again.",
            status: .cannotCreate
        )
    }

    /// Returns true if there is a file. Empty folders do not count: a server makes them when it starts.
    private static func hasFiles(_ folder: String) throws -> Bool {
        guard access(folder, F_OK) == 0 || errno != ENOENT else { return false }
        return try FileManager.default.subpathsOfDirectory(atPath: folder).contains { path in
            var status = stat()
            // The file that identifies the store is not an object.
            let isID = path.hasSuffix("/\(ObjectKey.storeID)")
            return !isID && lstat("\(folder)/\(path)", &status) == 0 && status.st_mode & S_IFMT == S_IFREG
        }
    }

    private func replace(
        _ database: CommandDatabase,
        _ before: DatabaseFacts,
        _ manifest: BackupManifest,
        _ folder: WorkFolder
    ) throws -> String {
        let id = Self.newID()
        let programs = try ClientPrograms.find(serverMajor: max(before.serverMajor, manifest.postgresql))
        let rights = FolderRights(of: settings.dataFolder)
        try rights.use {
            try makeRoomForObjects(folder.path)
            try RestoreJournal.begin(folder, id: id, data: settings.dataFolder)
        }
        let restore = DatabaseRestore(
            connectionString: database.ownerLogin,
            programs: programs,
            folder: folder.path,
            rights: rights
        )
        do {
            try RestoreJournal.stageSecret(folder, settings, id: id)
            try restore.run(dump: "\(folder.path)/\(BackupArchive.dump)", manifest: manifest, id: id)
        } catch {
            // The commit may have succeeded although its response was lost.
            guard try RestoreJournal.finish(folder, settings, database.ownerLogin) else { throw error }
            return id
        }
        _ = try RestoreJournal.finish(folder, settings, database.ownerLogin)
        return id
    }

    /// A backup without objects replaces existing objects by an empty folder.
    private func makeRoomForObjects(_ folder: String) throws {
        let (old, new) = ("\(settings.dataFolder)/\(BackupArchive.objects)", "\(folder)/\(BackupArchive.objects)")
        guard access(old, F_OK) == 0, access(new, F_OK) != 0, mkdir(new, 0o700) != 0 else { return }
        throw CommandFailure("\(FileError("create", new)).", status: .cannotCreate)
    }

    /// Returns the time with a random suffix, because two restores may happen in one second. It is valid in a schema's
    /// name.
    private static func newID() -> String {
        let time = Date().formatted(.iso8601).lowercased().filter { $0.isNumber || $0 == "t" }
        return "\(time)_\(String(UInt16.random(in: 0...(.max)), radix: 16))"
    }

    private func report(
        _ database: CommandDatabase,
        _ manifest: BackupManifest,
        _ before: DatabaseFacts,
        _ id: String
    ) throws {
        let now = try DatabaseFacts(database.ownerLogin, secret: SecretFile.keys(settings))
        StandardStreams.print("restored as of \(manifest.createdAt), accounts: \(now.accounts)\n")
        if before.hasSchema {
            StandardStreams.print("the former tables are kept in the schema neuroviews_before_\(id)\n")
        }
        for path in [settings.secretFilePath, "\(settings.dataFolder)/\(BackupArchive.objects)"] {
            let aside = RestoreJournal.aside(path, id)
            if access(aside, F_OK) == 0 { StandardStreams.print("kept: \(aside)\n") }
        }
        if let sentence = SecretMisfit.sentence(now.keys, settings.secretFilePath) {
            StandardStreams.print("the server can't start yet. \(sentence)\n")
        }
    }
}
