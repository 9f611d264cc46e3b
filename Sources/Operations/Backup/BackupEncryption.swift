import CommandWords
import FoundationEssentials
import Glibc
import Machine

/// Encrypts and decrypts backups in the age format (https://age-encryption.org/v1) with the program `age`.
enum BackupEncryption {
    private static let program = "/usr/bin/age"
    private static let header = Array("age-encryption.org/v1".utf8)

    /// Throws if the program is not installed.
    static func requireProgram() throws(CommandFailure) {
        guard access(program, X_OK) == 0 else {
            throw CommandFailure("age is missing, which encrypts backups: run apt-get install age.")
        }
    }

    /// The path of the encrypted file.
    static func path(of archive: String) -> String { archive + ".age" }

    /// Encrypts a file for the owner of `recipient`'s identity and removes the plain file. Returns the path of the
    /// encrypted file.
    static func encrypt(_ archive: String, for recipient: String) throws -> String {
        let encrypted = path(of: archive)
        try run(
            ["--encrypt", "--recipient", recipient, "--output", encrypted, archive],
            writingTo: FilePath.folder(of: encrypted),
            failure: "The backup can't be encrypted",
            status: .cannotCreate
        )
        unlink(archive)
        return encrypted
    }

    /// Returns the plain backup: the file itself, or its decrypted content in an unnamed file on the volume of
    /// `folder`.
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
        try run(
            ["--decrypt", "--identity", path],
            streams,
            writingTo: folder,
            failure: "\(name) can't be decrypted",
            status: .data
        )
        try plain.rewind()
        return plain
    }

    private static func run(
        _ arguments: [String],
        _ streams: ChildProcess.Streams = .init(),
        writingTo folder: String,
        failure: String,
        status: ExitStatus
    ) throws {
        let command = [program] + arguments
        let result = try ChildProcess.run(command, log: nil, streams: streams, seconds: BackupArchive.maxSeconds)
        guard result.status != 0 else { return }
        throw CommandFailure(failure, because: result.output, writingTo: folder, status: status)
    }
}
