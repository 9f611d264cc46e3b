import Observation

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// All configurations by name, for a view. `await list.follow()` in the view's task keeps them up to date.
@MainActor
@Observable
public final class ConfigurationList {
    /// So many changed items are read one by one, more of them with all others.
    private static let singlesMax = 50

    /// The configurations, by name.
    public private(set) var items: [StoredConfiguration] = []
    /// The reason why they can't be read, such as ``ClientError/needsLogIn(_:)``; nil if they can.
    public private(set) var failure: ClientError?

    @ObservationIgnored private let client: NeuroViews

    /// An empty list, until it follows.
    public init(_ client: NeuroViews) { self.client = client }

    /// Reads the configurations, and again what changes, until the task is cancelled.
    public func follow() async {
        let changes = client.changes()
        await read()
        for await change in changes {
            if change.ids.isEmpty || change.ids.count > Self.singlesMax || failure != nil {
                await read()
            } else {
                await read(change.ids)
            }
        }
    }

    private func read() async {
        do throws(ClientError) {
            (items, failure) = (try await client.configurationsByName(), nil)
        } catch {
            fail(error)
        }
    }

    private func read(_ ids: Set<UUID>) async {
        do throws(ClientError) {
            var found: [StoredConfiguration] = []
            for id in ids {
                if let item = try await client.configuration(id) { found.append(item) }
            }
            items = (items.filter { !ids.contains($0.id) } + found).sorted(by: Self.isBefore)
        } catch {
            fail(error)
        }
    }

    /// Nobody is logged in: the items were another account's.
    private func fail(_ error: ClientError) {
        failure = error
        if case .needsLogIn = error { items = [] }
    }

    fileprivate nonisolated static func isBefore(_ left: StoredConfiguration, _ right: StoredConfiguration) -> Bool {
        let (first, second) = (left.configuration.name, right.configuration.name)
        return first == second ? left.id.uuidString < right.id.uuidString : first < second
    }
}

extension NeuroViews {
    /// They are sorted here, and not on the main actor.
    fileprivate func configurationsByName() throws(ClientError) -> [StoredConfiguration] {
        try configurations().sorted(by: ConfigurationList.isBefore)
    }
}
