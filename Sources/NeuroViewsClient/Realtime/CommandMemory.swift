#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The newest commands. None is done twice.
struct CommandMemory {
    private static let countMax = 64

    /// The state of an arriving command.
    enum Arrival: Equatable {
        case new
        /// It came before, and has no answer yet.
        case underWay
        /// It came before: its first answer.
        case answered(CommandAnswer)
    }

    /// In the order of their coming.
    private var known: [(id: UUID, answer: CommandAnswer?)] = []

    /// Notes a command.
    mutating func arrive(_ id: UUID) -> Arrival {
        if let place = known.firstIndex(where: { $0.id == id }) {
            return known[place].answer.map { .answered($0) } ?? .underWay
        }
        // Commands under way stay: their answers will come. Unanswered ones get at most half of the places, or an answered
        // one would be forgotten at once.
        if known.count == Self.countMax {
            let answered = known.indices.filter { known[$0].answer != nil }
            known.remove(at: answered.count > Self.countMax / 2 ? answered[0] : 0)
        }
        known.append((id, nil))
        return .new
    }

    /// Notes the answer. Returns false if there is one already, or if the command is not known: it may be of another
    /// account.
    mutating func answer(_ id: UUID, _ answer: CommandAnswer) -> Bool {
        guard let place = known.firstIndex(where: { $0.id == id }) else { return false }
        guard known[place].answer == nil else { return false }
        known[place].answer = answer
        return true
    }
}
