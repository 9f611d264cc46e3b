import FoundationEssentials
import Glibc
import Machine
import PrivateCluster
import Settings

/// Checks the data folder, its disk, and the secret.
struct DataCheck {
    let settings: Settings
    let place: DataPlace

    private static let diskMinBytes = 100 << 20
    private static let diskLowBytes = 1 << 30
    private static let filesLow = 10_000

    init(_ settings: Settings, _ place: DataPlace) {
        self.settings = settings
        self.place = place
    }

    func findings() -> [Finding] {
        folder + disk + reserve + cluster + [secret] + pendingRestore
    }

    private var folder: [Finding] {
        var status = stat()
        guard stat(place.folder, &status) == 0 else { return [missingFolder] }
        guard status.st_mode & S_IFMT == S_IFDIR else {
            return [.wrong("data folder", "\(place.folder) is not a folder", "choose another with NEUROVIEWS_DATA")]
        }
        guard access(place.folder, R_OK | W_OK | X_OK) == 0 else {
            return [
                .wrong(
                    "data folder",
                    "\(place.folder) belongs to number \(status.st_uid), and this account can't write there",
                    "start the server under that account, or give the folder away: chown -R \(geteuid()) \(place.folder)"
                )
            ]
        }
        guard status.st_mode & 0o022 == 0 else {
            return [
                .warning(
                    "data folder",
                    "\(place.folder) can be changed by others (mode \(String(status.st_mode & 0o777, radix: 8)))",
                    "chmod go-w \(place.folder)"
                )
            ]
        }
        let user = place.server.map { ", in use by process \($0)" } ?? ""
        return [.ok("data folder", "\(place.folder)\(user)")]
    }

    private var missingFolder: Finding {
        let parent = Self.existing(place.folder)
        guard access(parent, W_OK | X_OK) == 0 else {
            return .wrong(
                "data folder",
                "\(place.folder) can't be made: \(parent) can't be written",
                "make it for this account, or choose another with NEUROVIEWS_DATA"
            )
        }
        return .ok("data folder", "\(place.folder) will be made")
    }

    /// The folder of recording files; nil if they are in S3.
    private var objects: String? { settings.s3Endpoint == nil ? "\(place.folder)/\(BackupArchive.objects)" : nil }

    /// Checks each file system once: the cluster may be on another one than the data folder.
    private var disk: [Finding] {
        var seen: Set<dev_t> = []
        return [place.folder, place.cluster ?? place.folder].compactMap { path in
            let path = Self.existing(path)
            var status = stat()
            guard stat(path, &status) == 0, seen.insert(status.st_dev).inserted else { return nil }
            return space(path)
        }
    }

    private func space(_ path: String) -> Finding {
        var system = statvfs()
        guard statvfs(path, &system) == 0 else {
            return .warning("disk", "\(FileError("look at", path))", "look at df \(path)")
        }
        let bytes = Int(system.f_bavail) * Int(system.f_frsize)
        let text = "\(bytes >> 20) MiB are free at \(path)"
        let remedy = "make room, or choose another folder with NEUROVIEWS_DATA"
        if system.f_flag & UInt(ST_RDONLY) != 0 {
            return .wrong("disk", "\(path) is read-only", "mount it for writing")
        }
        if bytes < Self.diskMinBytes { return .wrong("disk", text, remedy) }
        if bytes < Self.diskLowBytes { return .warning("disk", text, remedy) }
        // Some file systems do not count files.
        if system.f_files > 0, system.f_favail < Self.filesLow {
            return .warning("disk", "there is room for \(system.f_favail) more files at \(path)", remedy)
        }
        return .ok("disk", text)
    }

    /// The space left for uploads. Below the reserve uploads are rejected, and the server goes on. Recording files may
    /// have a volume of their own.
    private var reserve: [Finding] {
        guard let path = objects.map(Self.existing) else { return [] }
        var system = statvfs()
        guard statvfs(path, &system) == 0, system.f_flag & UInt(ST_RDONLY) == 0 else {
            return [.wrong("disk reserve", "\(path) can't be written", "mount it for writing")]
        }
        let reserveBytes = Settings.storageReserveBytes(of: system)
        let left = Int(system.f_bavail) * Int(system.f_frsize) - reserveBytes
        let text = "of the volume of recordings' files (\(path)) \(reserveBytes >> 20) MiB are kept free"
        guard left >= Self.diskLowBytes else {
            return [
                .warning(
                    "disk reserve",
                    text
                        + (left < 0
                            ? ", and there are \(-left >> 20) MiB less" : ", and uploads have \(left >> 20) MiB"),
                    "make room, or mount a larger volume there"
                )
            ]
        }
        return [.ok("disk reserve", text + ", and uploads have \(left >> 20) MiB")]
    }

    private var cluster: [Finding] {
        guard settings.databaseURL == nil else { return [] }
        guard let cluster = place.cluster else { return [.ok("private cluster", "will be made")] }
        do throws(PrivateClusterProblem) {
            _ = try ClusterAccount.owner(of: cluster, data: settings.dataFolder)
        } catch {
            return [.wrong("private cluster", sentence: error.description)]
        }
        guard ClusterLocation.isInitialised(cluster) || geteuid() != 0 else {
            return [.wrong("private cluster", sentence: PrivateClusterProblem.notACluster(folder: cluster).description)]
        }
        return [.ok("private cluster", cluster)]
    }

    private var secret: Finding {
        let path = settings.secretFilePath
        do throws(SecretFile.Problem) {
            guard let bytes = try SecretFile.load(settings) else { return missingSecret(path) }
            let count = SecretFile.split(bytes).count
            return .ok("secret", count == 1 ? path : "\(path), with \(count) keys")
        } catch {
            return .wrong("secret", sentence: error.description)
        }
    }

    private func missingSecret(_ path: String) -> Finding {
        guard place.cluster == nil else {
            return .warning(
                "secret",
                "\(path) is not there, and a new one doesn't fit a database that has been used",
                "put it back from a backup, or name it with NEUROVIEWS_SECRET_FILE"
            )
        }
        return .ok("secret", "\(path) will be made")
    }

    private var pendingRestore: [Finding] {
        guard access("\(place.folder)/\(RestoreJournal.name)", F_OK) == 0 else { return [] }
        return [
            .warning(
                "restore",
                "a restore is at work or was interrupted",
                "let it end, or run neuroviews-server migrate with the flags of the restore, which ends it"
            )
        ]
    }

    /// The nearest existing parent folder.
    private static func existing(_ path: String) -> String {
        var url = URL(fileURLWithPath: path)
        while access(url.path, F_OK) != 0, url.path != "/" { url.deleteLastPathComponent() }
        return url.path
    }
}
