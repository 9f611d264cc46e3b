import Glibc
import TestSupport
import Testing

@testable import Machine
@testable import Operations
@testable import PrivateCluster
@testable import Settings
@testable import neuroviews_server

/// The owner of a data folder can put links there. They must not lead root elsewhere. The owner is `nobody`, and this
/// process runs as root.
@Suite("Files in another account's data folder", .enabled(if: geteuid() == 0), .blocking)
struct OwnFileTests {
    private static let nobody: uid_t = 65534
    private static let content = "root's own\n"

    private let folder: TemporaryFolder
    /// A file of root outside the data folder.
    private let victim: String
    private let data: String

    init() throws {
        folder = try TemporaryFolder()
        victim = try folder.file("victim", Self.content)
        data = folder.path + "/data"
        guard mkdir(data, 0o700) == 0, chown(data, Self.nobody, Self.nobody) == 0 else {
            throw FileError("create", data)
        }
    }

    private var isVictimUnchanged: Bool {
        get throws { try FileDescriptor.readText(victim) == Self.content && Self.owner(victim) == 0 }
    }

    private static func owner(_ path: String) -> uid_t? {
        var status = stat()
        return lstat(path, &status) == 0 ? status.st_uid : nil
    }

    /// The ways in which the folder's owner may point at a file of root.
    enum Trick: CaseIterable { case symbolicLink, hardLink }

    private func plant(_ name: String, _ trick: Trick) {
        switch trick {
        case .symbolicLink: #expect(symlink(victim, "\(data)/\(name)") == 0)
        case .hardLink: #expect(link(victim, "\(data)/\(name)") == 0)
        }
    }

    @Test("The data folder's lock writes to no file outside it", arguments: Trick.allCases)
    func lock(trick: Trick) throws {
        plant("lock", trick)
        #expect(throws: DataDirectoryLock.Problem.self) { try DataDirectoryLock(folder: data) }
        #expect(try isVictimUnchanged)
    }

    @Test("A lock that root makes belongs to the folder's owner")
    func lockOwner() throws {
        let lock = try DataDirectoryLock(folder: data)
        #expect(Self.owner(data + "/lock") == Self.nobody)
        withExtendedLifetime(lock) {}
    }

    @Test(
        "The ledger of erased accounts is neither read from nor written to a file elsewhere",
        arguments: Trick.allCases
    )
    func ledger(trick: Trick) throws {
        plant("erasures.ledger", trick)
        let ledger = ErasureLedgerFile(path: data + "/erasures.ledger")
        #expect(throws: ErasureLedgerFile.Problem.self) { try ledger.read() }
        let content = ErasureLedgerFile.Content(digests: [[UInt8](repeating: 1, count: 32)])
        #expect(throws: FileError.self) { try ledger.append(content) }
        #expect(try isVictimUnchanged)
    }

    @Test("A file outside the data folder does not become the master key", arguments: Trick.allCases)
    func secret(trick: Trick) throws {
        let key = try folder.file("key", String(repeating: "k", count: 32))
        #expect((trick == .hardLink ? link(key, data + "/secret.key") : symlink(key, data + "/secret.key")) == 0)
        #expect(throws: SecretFile.Problem.self) { try SecretFile.loadOrCreate(data + "/secret.key", .dataFolder) }
        // If the operator names the path, the link is followed.
        if trick == .symbolicLink { #expect(try SecretFile.load(data + "/secret.key")?.count == 32) }
    }

    @Test("A master key of a third account is refused, and one of the folder's owner accepted", arguments: [1, nobody])
    func secretOwner(owner: uid_t) throws {
        let path = data + "/secret.key"
        _ = try SecretFile.loadOrCreate(path, .dataFolder)
        #expect(chown(path, owner, owner) == 0)
        #expect(((try? SecretFile.load(path, .dataFolder)) != nil) == (owner == Self.nobody))
    }

    @Test("A thread uses the folder owner's file rights alone, and gets its own back")
    func rightsForFiles() throws {
        let rights = FolderRights(of: data)
        let closed = try folder.file("closed", "x")
        #expect(chmod(closed, 0o600) == 0)
        try rights.useForFiles { () throws(FileError) in
            #expect((try? FileDescriptor.readText(closed)) == nil)
            #expect(mkdir(data + "/made", 0o700) == 0)
        }
        #expect(Self.owner(data + "/made") == Self.nobody)
        #expect(try FileDescriptor.readText(closed) == "x")
    }

    @Test("A new master key replaces a planted link and not its target")
    func replaced() throws {
        plant("secret.key", .symbolicLink)
        let key = [UInt8](repeating: 7, count: 32)
        try SecretFile.replace(data + "/secret.key", .dataFolder, with: key, owner: (Self.nobody, Self.nobody))
        #expect(try isVictimUnchanged)
        #expect(try SecretFile.load(data + "/secret.key", .dataFolder) == key)
    }

    @Test("The note of the cluster's place is not read through a link", arguments: Trick.allCases)
    func clusterPlace(trick: Trick) throws {
        plant("postgres.location", trick)
        #expect(throws: PrivateClusterProblem.self) { try ClusterLocation.knownCluster(data: data) }
    }

    @Test("A settings file with a password is refused if everybody can read it", arguments: [0o644, 0o640])
    func settings(mode: Int) throws {
        let secret = try folder.file("secret.conf", "DATABASE_URL = host=db password=x\n")
        let open = try folder.file("open.conf", "LISTEN = 127.0.0.1:1\nDATABASE_URL = host=db\n")
        for path in [secret, open] { #expect(chmod(path, mode_t(mode)) == 0) }
        func isTaken(_ path: String) -> Bool {
            let parsed = CommandLineInterface.parse(arguments: ["serve", "--settings", path], environment: [:]) {
                try FileDescriptor.readText($0)
            }
            if case .success = parsed { return true }
            return false
        }
        #expect(isTaken(open))
        #expect(isTaken(secret) == (mode == 0o640))
    }
}
