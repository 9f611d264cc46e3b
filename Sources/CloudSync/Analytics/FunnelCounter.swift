import JSON

/// Counts the sessions that reached each step of a funnel. A session is a series of one device's events without a gap
/// of half an hour. The steps must occur in order; other events may be between them. Events of the same time have no
/// order.
struct FunnelCounter {
    /// A gap of this length ends a session, in microseconds.
    static let gapUs = 1_800_000_000

    /// The distinct names of the steps: two steps may have the same name.
    let names: [String]
    /// For each step, the index of its name.
    private let steps: [Int]
    private(set) var sessions: [Int]
    private var device = ""
    private var lastUs: Int?
    private var reached = 0
    /// The unused events of the current time, by the index of their name.
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

    /// Adds the next event, ordered by device and time. `kind` is the index of its name in `names`, nil for other
    /// names.
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
