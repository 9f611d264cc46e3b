import FoundationEssentials
import Glibc
import NeuroViewsClient

extension CommandCall {
    /// This device: the library over the profile's folder. A session has two sockets, so only a command that follows the server
    /// has one.
    func device(polling seconds: Int64? = nil, followsNotices: Bool = false) throws(Failure) -> NeuroViews {
        let remembered = try profile.server()
        guard let server = settings.server ?? remembered else {
            throw Failure(
                "The profile \(profile.name) has no server: write neuroviews login --server URL.",
                entry.takesNewServer ? .configuration : .noPermission
            )
        }
        return try device(server: server, polling: seconds, followsNotices: followsNotices)
    }

    private func device(
        server: URL,
        polling seconds: Int64?,
        followsNotices: Bool
    ) throws(Failure) -> NeuroViews {
        var options = Options()
        options.followsNotices = followsNotices
        options.folder = URL(filePath: profile.folder, directoryHint: .isDirectory)
        options.secrets = FileSecretStore(folder: profile.secretsFolder)
        options.deviceName = settings.deviceName
        options.pins = settings.pins
        options.authorities = settings.authorities
        options.allowsPlainHTTP = settings.allowsPlainHTTP
        if let seconds { options.pollInterval = .seconds(seconds) }
        do {
            return try NeuroViews(server: server, options)
        } catch {
            throw Failure(error)
        }
    }

    static var hostName: String? {
        var bytes = [CChar](repeating: 0, count: 256)
        guard gethostname(&bytes, bytes.count - 1) == 0 else { return nil }
        let name = String(decoding: bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return name.isEmpty ? nil : name
    }
}

extension CommandEntry {
    /// True for commands that name the server of a new session.
    var takesNewServer: Bool { ["login", "register"].contains(name) }
}

/// Runs calls of the library, whose errors become those of the command.
func asking<T>(_ body: () async throws(ClientError) -> T) async throws(Failure) -> T {
    do {
        return try await body()
    } catch {
        throw Failure(error)
    }
}
