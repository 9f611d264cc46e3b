import FoundationEssentials
import NeuroViewsClient

/// The folder of a profile: the library's stores and secrets, and two small files of the command. Only its owner can read it.
struct Profile: Sendable {
    let name: String
    let folder: String
    private let files: FileSecretStore

    init(_ name: String, _ environment: [String: String]) {
        self.name = name
        folder = UserFolders(environment).data + "/" + name
        files = FileSecretStore(folder: folder)
    }

    var secretsFolder: String { folder + "/secrets" }

    /// The server of the last login.
    func server() throws(Failure) -> URL? { try read("server").flatMap { URL(string: $0) } }

    func remember(server: URL) throws(Failure) { try write("server", server.absoluteString) }

    /// The schema of configurations, as the server had it at the last login.
    func schema() throws(Failure) -> String? { try read("schema.json") }

    func remember(schema: String) throws(Failure) { try write("schema.json", schema) }

    private func read(_ file: String) throws(Failure) -> String? {
        do {
            return try files.read(file).map { String(decoding: $0, as: UTF8.self) }
        } catch {
            throw Failure(error)
        }
    }

    private func write(_ file: String, _ text: String) throws(Failure) {
        do {
            try files.write(file, Array(text.utf8))
        } catch {
            throw Failure(error)
        }
    }
}
