import FoundationEssentials
import NeuroViewsClient

/// `list --deleted`: the configurations that can be restored, from the server.
enum DeletedList {
    static let columns = ["ID", "NAME", "DELETED", "VERSION"]
    /// Each of them costs two requests.
    private static let shownMax = 100

    private struct Entry {
        let id: UUID
        let deletedAt: Date
        /// Nil if the server keeps no document.
        let name: String?
        /// The newest version with a document.
        let version: VersionTag?
    }

    /// The newest deletion first. Ids are whole, since `restore` needs them so.
    static func list(_ call: CommandCall) async throws(Failure) -> Ending {
        let device = try call.device()
        let ids = try await asking { () async throws(ClientError) in try await device.deletedConfigurations() }
        var entries: [Entry] = []
        for id in ids.suffix(shownMax).reversed() {
            if let entry = try await asking({ () async throws(ClientError) in try await read(id, device) }) {
                entries.append(entry)
            }
        }
        call.output.result(
            ["deleted": .array(entries.map(json))],
            Table(columns, entries.map { [$0.id.text, $0.name ?? "", $0.deletedAt.text, $0.version?.text ?? ""] })
        )
        if ids.count > shownMax {
            call.output.remark("\(ids.count) are deleted: these are the newest \(shownMax).")
        }
        return .done
    }

    /// Nil if it was restored meanwhile.
    private static func read(_ id: UUID, _ device: NeuroViews) async throws(ClientError) -> Entry? {
        let versions = try await device.versions(of: id).items
        guard let deletion = versions.first, deletion.isDeletion else { return nil }
        let last = versions.first { $0.hasDocument }?.tag
        var name: String?
        if let last {
            do throws(ClientError) {
                name = try await device.version(of: id, last).name
            } catch .refused {
                // It was removed by its age meanwhile.
            }
        }
        return Entry(id: id, deletedAt: deletion.changedAt, name: name, version: name == nil ? nil : last)
    }

    private static func json(_ entry: Entry) -> JSONValue {
        [
            "id": .string(entry.id.text), "name": entry.name.map { .string($0) } ?? .null,
            "deleted_at": .string(entry.deletedAt.text),
            "version": entry.version.map { .string($0.text) } ?? .null,
        ]
    }
}
