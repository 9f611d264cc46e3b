import FoundationEssentials
import NeuroViewsClient

/// `history`: the versions of a configuration.
enum HistoryCommand {
    static let columns = ["TAG", "CHANGED", "DEVICE", "NOTE"]

    static func list(_ call: CommandCall) async throws(Failure) -> Ending {
        let device = try call.device()
        let id = try await call.configuration(call.words[0], of: device)
        let versions = try await Pages.all { (before: String?) async throws(ClientError) in
            try await device.versions(of: id, before: before)
        }
        call.output.result(
            ["versions": .array(versions.map(\.json))],
            Table(
                columns,
                versions.map { version in
                    let note = version.isDeletion ? "deleted" : version.hasDocument ? "" : "document removed"
                    return [
                        version.tag.text, version.changedAt.text, version.device.map { $0.name ?? $0.id } ?? "", note,
                    ]
                }
            )
        )
        return .done
    }
}

/// Lists that come in pages.
enum Pages {
    /// More than any account has; a server that always has a next page must not keep a command busy.
    private static let entriesMax = 100_000

    static func all<Element: Sendable>(
        _ page: (String?) async throws(ClientError) -> Page<Element>
    ) async throws(Failure) -> [Element] {
        var all: [Element] = []
        var before: String?
        repeat {
            let next: Page<Element>
            do throws(ClientError) {
                next = try await page(before)
            } catch {
                throw Failure(error)
            }
            all += next.items
            before = next.next
        } while before != nil && all.count < entriesMax
        return all
    }
}
