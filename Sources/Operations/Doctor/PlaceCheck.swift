import Glibc
import Machine
import Settings

/// Warns of secret files that another account could replace. The server reads them all the same: a program that renews
/// certificates may have an account of its own.
struct PlaceCheck {
    let settings: Settings

    init(_ settings: Settings) { self.settings = settings }

    func findings() -> [Finding] {
        // The server runs under this account.
        var status = stat()
        let owner = stat(settings.dataFolder, &status) == 0 ? status.st_uid : 0
        return files.compactMap { setting, path -> Finding? in
            do throws(GuardedPath.Problem) {
                _ = try GuardedPath(path, trusting: [owner])
                return nil
            } catch {
                // Other checks report files that are missing.
                return error.remedy.map { .warning("place of \(setting)", error.detail, $0) }
            }
        }
    }

    private var files: [(setting: String, path: String)] {
        let paths = [
            ("secret_file", settings.explicitSecretFile), ("tls_key", settings.tlsKey),
            ("s3_secret_file", settings.s3SecretFile),
        ]
        return paths.compactMap { setting, path in path.map { (setting, $0) } }
    }
}
