import FoundationEssentials
import Glibc

/// Encrypted backups, in the format of age (https://age-encryption.org/v1), by its program.
enum BackupEncryption {
    private static let program = "/usr/bin/age"
    private static let header = Array("age-encryption.org/v1".utf8)

    /// Throws unless there is the program.
    static func requireProgram() throws(CommandFailure) {
        guard access(program, X_OK) == 0 else {
            throw CommandFailure("age is missing, which encrypts backups: run apt-get install age.")
        }
    }

    /// Encrypts a file for who has the identity of `recipient`, and removes it. Gives the new one's path.
    static func encrypt(_ archive: String, for recipient: String) throws -> String {
        let encrypted = archive + ".age"
        try run(["--encrypt", "--recipient", recipient, "--output", encrypted, archive]) {
            CommandFailure("The backup can't be encrypted: \($0).", status: .cannotCreate)
        }
        unlink(archive)
        return encrypted
    }

    /// What a restore is to read: the file itself, or what it holds encrypted, as a file without a name on the volume of `folder`.
    static func open(
        _ source: consuming FileDescriptor,
        named name: String,
        identity: String?,
        folder: String,
        _ rights: FolderRights
    ) throws -> FileDescriptor {
        let isEncrypted = try source.read(maxBytes: header.count) == header
        try source.rewind()
        guard let identity else {
            guard isEncrypted else { return source }
            throw CommandFailure("\(name) is encrypted: name the file of your identity with --identity.", status: .data)
        }
        guard isEncrypted else {
            throw CommandFailure("\(name) is not encrypted: leave --identity out.", status: .data)
        }
        try requireProgram()
        let plain = try rights.use { try FileDescriptor(folder + "/backup.tar", O_RDWR | O_CREAT | O_EXCL) }
        try rights.use { _ = unlink(folder + "/backup.tar") }
        let path = URL(fileURLWithPath: identity).path
        let streams = ChildProcess.Streams(input: source.number, output: plain.number)
        try run(["--decrypt", "--identity", path], streams) {
            CommandFailure("\(name) can't be decrypted: \($0).", status: .data)
        }
        try plain.rewind()
        return plain
    }

    private static func run(
        _ arguments: [String],
        _ streams: ChildProcess.Streams = .init(),
        _ failure: (String) -> CommandFailure
    ) throws {
        let command = [program] + arguments
        let result = try ChildProcess.run(command, log: nil, streams: streams, seconds: BackupArchive.maxSeconds)
        guard result.status != 0 else { return }
        throw failure(ProgramOutput.firstUsefulLine(result.output))
    }
}
