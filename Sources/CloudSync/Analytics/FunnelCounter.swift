/// Counts the sessions that have reached each step of a funnel. A session is what one device reports without a gap of half an hour. The
/// steps come in their order, with any other events between them; events of the same moment are in any order.
struct FunnelCounter {
    /// A session ends before a gap of so many microseconds.
    static let gapUs = 1_800_000_000

    /// The kinds of events that the steps ask for: a step may be asked for twice.
    private let kinds: [String: Int]
    private let steps: [Int]
    private(set) var sessions: [Int]
    private var device = ""
    private var lastUs: Int?
    private var reached = 0
    /// Events of the present moment that no step has used, by their kinds.
    private var unused: [Int]

    init(steps names: [String]) {
        var kinds: [String: Int] = [:]
        for name in names where kinds[name] == nil { kinds[name] = kinds.count }
        self.kinds = kinds
        steps = names.map { kinds[$0, default: 0] }
        sessions = Array(repeating: 0, count: names.count)
        unused = Array(repeating: 0, count: kinds.count)
    }

    /// Adds the next event of a device, in the order of time. The devices come one after the other.
    mutating func add(device: String, atUs time: Int, _ name: String) {
        if lastUs != time || self.device != device { endMoment() }
        if let lastUs, self.device != device || time - lastUs >= Self.gapUs { endSession() }
        (self.device, lastUs) = (device, time)
        if let kind = kinds[name] { unused[kind] += 1 }
    }

    /// Ends the last session.
    mutating func end() {
        endMoment()
        endSession()
    }

    private mutating func endMoment() {
        while reached < steps.count, unused[steps[reached]] > 0 {
            unused[steps[reached]] -= 1
            reached += 1
        }
        for kind in unused.indices { unused[kind] = 0 }
    }

    private mutating func endSession() {
        for step in 0..<reached { sessions[step] += 1 }
        reached = 0
    }
}
