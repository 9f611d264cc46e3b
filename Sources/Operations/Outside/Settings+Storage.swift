import FoundationEssentials
import Glibc
import Machine
import Net
import Settings
import Storage

extension Settings {
    /// The threads for the store, and the jobs that may wait for them.
    private static let (storageThreads, storageJobsMax) = (8, 4096)

    /// Threads for the store.
    package static func storagePool() throws -> BlockingPool {
        try BlockingPool(threads: storageThreads, queueMax: storageJobsMax)
    }

    /// Opens the store of recording files. `report` gets each of its errors. Blocks. Throws `CommandFailure`.
    package func openStorage(
        _ pool: BlockingPool,
        report: @escaping @Sendable (StorageError) -> Void = { _ in }
    ) throws -> ObjectStorage {
        if let s3 = try s3 { return .s3(S3Storage(s3, pool: pool, nowS: Clock.now, report: report)) }
        do {
            // Folders that root makes here must belong to the data folder's owner.
            return try FolderRights(of: dataFolder).use {
                try FileManager.default.createDirectory(
                    atPath: objectsFolder,
                    withIntermediateDirectories: true,
                    attributes: [.posixPermissions: 0o700]
                )
                var volume = statvfs()
                guard statvfs(objectsFolder, &volume) == 0 else { throw FileError("look at", objectsFolder) }
                let reserveBytes = Self.storageReserveBytes(of: volume)
                return .disk(
                    try DiskStorage(folder: objectsFolder, reserveBytes: reserveBytes, pool: pool, report: report)
                )
            }
        } catch {
            throw CommandFailure(
                "The folder \(objectsFolder) for recordings' files can't be used (\(error)): let the server's account write there."
            )
        }
    }

    /// Runs `body` with the rights of the files' owner. With S3 the rights do not change: only root may be able to read
    /// the secret.
    package func withRightsOfStorage<R>(_ body: () throws -> R) throws -> R {
        s3Endpoint == nil ? try FolderRights(of: dataFolder).use(body) : try body()
    }

    /// The bucket; nil for files on disk. Throws `CommandFailure` if the secret can't be read.
    private var s3: S3Settings? {
        get throws {
            guard let s3Endpoint, let s3Bucket, let s3AccessKey, let s3SecretFile else { return nil }
            return S3Settings(
                endpoint: s3Endpoint,
                publicEndpoint: s3PublicEndpoint,
                region: s3Region,
                bucket: s3Bucket,
                accessKey: s3AccessKey,
                secret: try Self.s3Secret(s3SecretFile),
                caFile: s3CAFile
            )
        }
    }

    private static let secretMaxBytes = 1024

    /// The file's content without surrounding white space: editors add a line end.
    private static func s3Secret(_ path: String) throws -> String {
        do {
            let file = try FileDescriptor(path, O_RDONLY | O_NONBLOCK)
            guard try file.status().st_mode & 0o007 == 0 else {
                throw CommandFailure("The file \(path) with the secret of S3 can be read by others: chmod 600 \(path).")
            }
            let text = String(decoding: try file.read(maxBytes: secretMaxBytes), as: UTF8.self)
            let secret = text.trimmed
            guard !secret.isEmpty else {
                throw CommandFailure("The file \(path) is empty: write the secret of the S3 access key there.")
            }
            return secret
        } catch let error as FileError {
            throw CommandFailure(
                "The secret of S3 can't be read: \(error); name its file with NEUROVIEWS_S3_SECRET_FILE."
            )
        }
    }
}
