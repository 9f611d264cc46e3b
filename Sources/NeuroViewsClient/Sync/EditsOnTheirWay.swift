#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The configurations with edits that the server does not have, deletions included.
package struct EditsOnTheirWay: Sendable {
    /// Those that are sent now or after the next pull.
    package var unsent: [UUID] = []
    /// Those that wait for their user.
    package var held: [UUID] = []
    /// Those that the server will not take, with the reason.
    package var refused: [(id: UUID, problem: Problem)] = []
}

extension NeuroViews {
    /// The edits on their way, also those that no list shows.
    package func editsOnTheirWay() throws(ClientError) -> EditsOnTheirWay {
        let store = try openedStore()
        return try store.look { () throws(ClientError) in
            var edits = EditsOnTheirWay()
            for unsent in try store.unsentItems(at: .now) {
                guard let id = UUID(uuidString: unsent.id) else { continue }
                switch unsent.state {
                case .unsent, .waiting: edits.unsent.append(id)
                case .held: edits.held.append(id)
                case .refused:
                    if let problem = try store.item(unsent.id)?.refusal?.problem {
                        edits.refused.append((id, Problem(problem)))
                    }
                }
            }
            return edits
        }
    }
}
