import Observation

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The uploads with their progress, for a view. `await list.follow()` in one view's task keeps them up to date.
@MainActor
@Observable
public final class UploadList {
    /// The uploads, the oldest first.
    public private(set) var uploads: [Upload] = []

    @ObservationIgnored private let client: NeuroViews
    @ObservationIgnored private var followed: Set<UUID> = []

    /// An empty list, until it follows.
    public init(_ client: NeuroViews) { self.client = client }

    /// Reads the uploads, and again what changes, until the task is cancelled.
    public func follow() async {
        let changes = client.changes()
        await withDiscardingTaskGroup { group in
            await read(&group)
            for await _ in changes { await read(&group) }
            group.cancelAll()
        }
    }

    private func read(_ group: inout DiscardingTaskGroup) async {
        uploads = (try? await client.uploads()) ?? []
        for upload in uploads where !upload.state.isOver && followed.insert(upload.id).inserted {
            group.addTask { await self.follow(upload.id) }
        }
    }

    private func follow(_ id: UUID) async {
        for await upload in client.progress(of: id) {
            if let place = uploads.firstIndex(where: { $0.id == id }) { uploads[place] = upload }
        }
        followed.remove(id)
    }
}
