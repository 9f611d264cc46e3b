/// The order in which requests get the connections: first come, first served, but files leave some to the others.
struct TransferTurns<Request> {
    private var waiting: [(request: Request, hasFile: Bool)] = []
    private var running = 0
    private var runningFiles = 0
    private let max: Int
    private let filesMax: Int

    init(max: Int, filesMax: Int) {
        self.max = max
        self.filesMax = filesMax
    }

    mutating func add(_ request: Request, hasFile: Bool) { waiting.append((request, hasFile)) }

    /// Removes and returns the request whose turn it is. It has a place until `end`.
    mutating func next() -> Request? {
        guard running < max else { return nil }
        guard let index = waiting.firstIndex(where: { !$0.hasFile || runningFiles < filesMax }) else { return nil }
        let (request, hasFile) = waiting.remove(at: index)
        running += 1
        if hasFile { runningFiles += 1 }
        return request
    }

    /// Gives the place of a request back.
    mutating func end(hasFile: Bool) {
        running -= 1
        if hasFile { runningFiles -= 1 }
    }

    /// Removes and returns a request that still waits.
    mutating func remove(where isWanted: (Request) -> Bool) -> Request? {
        waiting.firstIndex { isWanted($0.request) }.map { waiting.remove(at: $0).request }
    }

    /// Removes and returns all requests that still wait.
    mutating func removeAll() -> [Request] {
        defer { waiting = [] }
        return waiting.map(\.request)
    }
}
