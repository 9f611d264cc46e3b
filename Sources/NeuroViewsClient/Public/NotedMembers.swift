import NeuroViewsJSON

/// The members that were assigned, in the order of their first assignment, each once.
struct NotedMembers: Sendable {
    private(set) var all: [JSONPointer] = []
    private var known: Set<JSONPointer> = []

    /// True if nothing was assigned.
    var isEmpty: Bool { all.isEmpty }

    /// Notes a member.
    mutating func insert(_ pointer: JSONPointer) {
        if known.insert(pointer).inserted { all.append(pointer) }
    }

    /// True if exactly this member was assigned.
    func contains(_ pointer: JSONPointer) -> Bool { known.contains(pointer) }
}
