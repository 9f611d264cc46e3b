import JSON

/// Counts the sessions that have reached each step of a funnel. A session is what one device reports without a gap of half an hour. The
/// steps come in their order, with any other events between them; events of the same moment are in any order.
struct FunnelCounter {
    /// A session ends before a gap of so many microseconds.
    static let gapUs = 1_800_000_000

    /// The names that the steps ask for, each once: a step may be asked for twice.
    let names: [String]
    /// The places of the steps' names.
    private let steps: [Int]
    private(set) var sessions: [Int]
    private var device = ""
    private var lastUs: Int?
    private var reached = 0
    /// Events of the present moment that no step has used, by the places of their names.
    private var unused: [Int]

    init(steps asked: [String]) {
        var places: [ByteKey: Int] = [:]
        var names: [String] = []
        for name in asked where places[ByteKey(string: name)] == nil {
            places[ByteKey(string: name)] = names.count
            names.append(name)
        }
        self.names = names
        steps = asked.map { places[ByteKey(string: $0), default: 0] }
        sessions = Array(repeating: 0, count: asked.count)
        unused = Array(repeating: 0, count: names.count)
    }

    /// Adds the next event of a device, in the order of time. The devices come one after the other. `kind` is the place of its name among
    /// `names`, nil for another event.
    mutating func add(device: String, atUs time: Int, _ kind: Int?) {
        let isAnother = !self.device.hasSameBytes(as: device)
        if lastUs != time || isAnother { endMoment() }
        if let lastUs, isAnother || time - lastUs >= Self.gapUs { endSession() }
        (self.device, lastUs) = (device, time)
        if let kind { unused[kind] += 1 }
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
