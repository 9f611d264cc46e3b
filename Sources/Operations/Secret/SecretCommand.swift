import CloudSync
import Glibc
import Machine
import NeuroViewsCrypto
import Postgres
import PrivateCluster
import Settings

/// `secret rotate` and `secret compromised`: change the master key. If one is interrupted, servers continue and can
/// start, and the command can be run again:
///
/// 1. The file has every key that the database has in use. A key is added to the file before the database, and removed
///    after it.
/// 2. Servers use a key only if the file and the database have it. A key only in the file has no effect.
/// 3. A key becomes current when every running server has it.
package struct SecretCommand {
    package enum Action: String {
        case rotate, compromised
    }

    let action: Action
    let settings: Settings

    package init(action: Action, settings: Settings) {
        self.action = action
        self.settings = settings
    }

    /// A rotation is rejected while this many keys are in use: half of the keys that fit into the file.
    static let keysMax = SecretFile.maxBytes / SecretFile.keyBytes / 2

    package func run() throws {
        try refuseCredential()
        let database = try CommandDatabase.openExisting(settings)
        defer { database.close() }
        umask(0o077)
        try RestoreJournal.settle(settings, database.ownerLogin)
        do {
            try requireTables(database.ownerLogin)
            let rotation = try MasterKeyRotation(database.ownerLogin, operatorName: OperatorName.current)
            switch action {
            case .rotate: try rotate(rotation)
            case .compromised: try replaceCompromised(rotation)
            }
        } catch let error as DatabaseError {
            throw CommandFailure("The master key can't be changed: \(error.sentence)")
        } catch let refusal as MasterKeyRotation.Refusal {
            throw Self.failure(refusal, path)
        }
    }

    var path: String { settings.secretFilePath }

    /// A service sees a copy of its credential, and cannot change the original.
    private func refuseCredential() throws {
        guard settings.secretPlace == .credential else { return }
        throw CommandFailure(
            "The secret is a credential of systemd, a copy that can't be changed: as root, name the file that it was copied from, as in "
                + "--secret-file /etc/neuroviews/secret.key.",
            status: .cannotCreate
        )
    }

    private func requireTables(_ connectionString: String) throws {
        let states = try Migrator.current.status(connectionString)
        if let misfit = states.lazy.compactMap(\.misfit).first { throw misfit }
        guard !states.contains(where: \.isPending) else {
            throw CommandFailure("The database is not up to date: run neuroviews-server migrate first.")
        }
    }

    static func failure(_ refusal: MasterKeyRotation.Refusal, _ path: String) -> CommandFailure {
        switch refusal {
        case .busy:
            CommandFailure("Another secret command is at work on this database: wait for its end.", status: .busy)
        case .notEverywhere(let servers):
            CommandFailure(
                "All goes on with the old master key until these servers have the new one, which is in \(path): "
                    + "\(list(servers)). Copy that file to them, restart those that get it as a credential, and run "
                    + "neuroviews-server secret rotate again.",
                status: .busy
            )
        case .sealedBy(let keyID):
            CommandFailure(
                "A secret in the database is sealed by the master key \(keyID), which \(path) lacks: put the file with it back from a backup."
            )
        case .unreadable(let secrets):
            CommandFailure(
                "All goes on with the old master key, since rows of the database don't open with it: \(list(secrets)). Put them back from a "
                    + "backup, or delete them: the account of a row in totp_secrets then has no authenticator app."
            )
        }
    }

    /// Lists the first secrets and the number of the others.
    static func list(_ secrets: [UnreadableSecret]) -> String {
        let more = secrets.count - Self.listedMax
        return secrets.prefix(Self.listedMax).map(\.description).joined(separator: ", ")
            + (more > 0 ? " and \(more) more" : "")
    }

    private static let listedMax = 100

    static func list(_ servers: [RunningServer]) -> String {
        servers.map { "\($0.host) (process \($0.process))" }.joined(separator: ", ")
    }
}

// MARK: The file

extension SecretCommand {
    /// A new key for the file, with its bytes.
    struct NewKey {
        let key: MasterKey
        var bytes: [UInt8]

        init() throws {
            bytes = try KernelRandom.bytes(SecretFile.keyBytes)
            key = try MasterKey(bytes: bytes)
        }
    }

    /// Writes the keys to the file in this order. The first one is the newest.
    func write(_ keys: [[UInt8]]) throws {
        var bytes = keys.flatMap(\.self)
        defer { bytes.wipe() }
        do throws(FileError) {
            try SecretFile.replace(path, settings.secretPlace, with: bytes, owner: owner)
        } catch {
            throw CommandFailure("The secret file can't be written: \(error).", status: .cannotCreate)
        }
    }

    /// The owner of the file, or of its folder if the file is new.
    private var owner: (user: uid_t, group: gid_t) {
        var status = stat()
        guard stat(path, &status) == 0 || stat(FilePath.folder(of: path), &status) == 0 else {
            return (geteuid(), getegid())
        }
        return (status.st_uid, status.st_gid)
    }

    /// Waits until each running server has the key or has looked for it. Servers look every few seconds; a server that
    /// stops looking counts as ended after 30 seconds. Returns the servers that lack the key.
    func serversLacking(_ key: MasterKey, _ rotation: MasterKeyRotation) throws -> [RunningServer] {
        while true {
            let lacking = try rotation.servers().filter { !$0.keyIDs.contains(key.kid) }
            if lacking.allSatisfy({ $0.hasLooked && $0.missingIDs.contains(key.kid) }) { return lacking }
            usleep(200_000)
        }
    }
}
