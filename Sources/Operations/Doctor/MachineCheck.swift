import Glibc
import Machine
import Media
import Net
import PrivateCluster
import Settings

/// Checks the account, the limits and the programs of this machine.
struct MachineCheck {
    let settings: Settings

    init(_ settings: Settings) { self.settings = settings }

    func findings() -> [Finding] {
        [account, descriptors] + (settings.databaseURL == nil ? [programs] : []) + [backupPrograms, mediaPrograms]
    }

    private var account: Finding {
        guard geteuid() == 0 else { return .ok("account", "runs as number \(geteuid())") }
        return .warning(
            "account",
            "runs as root, which the server needs for nothing",
            "start it under an account of its own, which owns the data folder"
        )
    }

    /// Compares the hard limit, because the server raises its soft limit up to it.
    private var descriptors: Finding {
        let needed = DescriptorLimit.needed(settings)
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else {
            return .warning("open files", "the limit can't be read", "look at ulimit -Hn")
        }
        guard limit.rlim_max < needed else { return .ok("open files", "\(limit.rlim_max) may be open") }
        return .warning(
            "open files",
            "\(limit.rlim_max) may be open, and \(settings.server.connectionsMax) connections need \(needed)",
            "raise the limit (LimitNOFILE=\(needed) in the unit, ulimit -n \(needed) in a shell), or lower "
                + "NEUROVIEWS_CONNECTIONS_MAX"
        )
    }

    /// The programs for a private cluster: of its version if a cluster exists.
    private var programs: Finding {
        let cluster = try? ClusterLocation.knownCluster(data: settings.dataFolder)
        let major = cluster.flatMap(ClusterLocation.major)
        do throws(PrivateClusterProblem) {
            let found = try PostgresPrograms.find(major: major, cluster: cluster ?? "")
            return .ok("PostgreSQL", "version \(found.major) in \(found.folder)")
        } catch {
            return .wrong("PostgreSQL", sentence: error.description)
        }
    }

    /// Only a warning: recordings are stored without these programs too.
    private var mediaPrograms: Finding {
        let tools = MediaTools.find()
        let remedy = "run apt-get install ffmpeg bubblewrap libheif-examples heif-thumbnailer"
        guard let ffmpeg = tools.ffmpeg, tools.ffprobe != nil, tools.canLimit else {
            return .warning("media", "recordings get no thumbnails and are not measured: ffmpeg is missing", remedy)
        }
        guard let box = tools.bubblewrap else {
            return .warning("media", "\(withoutBox): bubblewrap is missing", remedy)
        }
        if let problem = Self.problem(ofBox: tools) {
            return .warning(
                "media",
                "\(withoutBox), as this account: \(problem)",
                "let it make user namespaces (sysctl user.max_user_namespaces, kernel.unprivileged_userns_clone, "
                    + "kernel.apparmor_restrict_unprivileged_userns), or run the jobs by neuroviews-media.service"
            )
        }
        guard settings.unsandboxedMedia == .refuse else {
            return .warning(
                "media",
                "the sandbox works, and if it ever fails, hostile files are decoded without it",
                "remove NEUROVIEWS_UNSANDBOXED_MEDIA"
            )
        }
        guard let libheif = tools.heifInfo, tools.heifThumbnailer != nil else {
            return .warning(
                "media",
                "HEIC photos get no thumbnails and are not measured: libheif's programs are missing",
                remedy
            )
        }
        return .ok("media", "ffmpeg \(ffmpeg.version), bubblewrap \(box.version), libheif \(libheif.version)")
    }

    /// What happens to recordings where ffmpeg has no box.
    private var withoutBox: String {
        settings.unsandboxedMedia == .acceptRisk
            ? "ffmpeg has no sandbox, so a hostile file that breaks it can do all that this account can"
            : "recordings get no thumbnails and are not measured, since ffmpeg has no sandbox"
    }

    /// Makes a box and returns the reason of a failure; nil if it works.
    private static func problem(ofBox tools: MediaTools) -> String? {
        do {
            let pool = try BlockingPool(threads: 1, queueMax: 8)
            defer { pool.stop() }
            let loop = try EventLoop(index: 0)
            defer { loop.stop() }
            return try BlockingWait.run(on: loop) { try await MediaBox(tools: tools, pool: pool)?.problem }
        } catch {
            return "\(error)"
        }
    }

    private var backupPrograms: Finding {
        do throws(CommandFailure) {
            let programs = try ClientPrograms.find(serverMajor: PostgresPrograms.oldestMajor)
            let tools = ["/usr/bin/tar", "/usr/bin/sha256sum", "/usr/bin/setpriv"]
            guard let missing = tools.first(where: { access($0, X_OK) != 0 }) else {
                return .ok("backup", "pg_dump and pg_restore are in \(programs.folder)")
            }
            return .warning("backup", "\(missing) is missing", "run apt-get install tar coreutils util-linux")
        } catch {
            return .warning("backup", "pg_dump is missing", "run apt-get install postgresql-client")
        }
    }
}
