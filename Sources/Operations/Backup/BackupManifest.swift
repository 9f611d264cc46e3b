import CommandWords
import FoundationEssentials
import Machine
import Postgres
import PrivateCluster

/// The description of a backup. The digests of all parts are beside it in `SHA256SUMS`.
struct BackupManifest: Codable, Equatable {
    /// The version of the backup format, from 1.
    let format: Int
    let serverVersion: String
    /// The newest migration of the database.
    let migration: Int
    /// The major version of the PostgreSQL that was dumped.
    let postgresql: Int
    /// RFC 3339, UTC.
    let createdAt: String

    enum CodingKeys: String, CodingKey {
        case format
        case serverVersion = "server_version"
        case migration
        case postgresql
        case createdAt = "created_at"
    }

    /// The dump has rows only, and `SHA256SUMS.hmac` may exist.
    static let currentFormat = 1

    func write(to path: String) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        try encoder.encode(self).write(to: URL(fileURLWithPath: path))
    }

    static func read(_ path: String) throws(CommandFailure) -> BackupManifest {
        guard let data = FileManager.default.contents(atPath: path),
            let manifest = try? JSONDecoder().decode(BackupManifest.self, from: data), manifest.format > 0,
            manifest.migration > 0
        else {
            throw CommandFailure("The backup's manifest can't be read: it is no backup of this server.", status: .data)
        }
        return manifest
    }

    /// Throws for the format of a newer server: this one could lose data in it.
    func requireKnown() throws(CommandFailure) {
        guard format <= Self.currentFormat, migration <= Migrator.current.newest else {
            throw CommandFailure(
                "The backup was made by neuroviews-server \(serverVersion), which is newer than this one "
                    + "(\(ServerVersion.current)): restore it with that version."
            )
        }
    }
}
