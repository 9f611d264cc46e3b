/// Counts the bytes of an upload that are on their way, for the app. Transports call it on their own threads.
final class UploadMeter: Sendable {
    private struct State {
        var stored: Int64 = 0
        var underWay: [Int64: Int64] = [:]
    }

    private let state = Guarded(State())
    private let report: @Sendable (Int64) -> Void

    /// `report` gets the number of bytes that the server has, or that were handed to the network.
    init(_ report: @escaping @Sendable (Int64) -> Void) { self.report = report }

    /// The server has so many bytes, and nothing is on its way.
    func begin(at stored: Int64) {
        state.withLock { $0 = State(stored: stored) }
        report(stored)
    }

    /// Counts the bytes of one request.
    func counter(_ request: Int64) -> @Sendable (Int64) -> Void {
        { [self] count in
            let sum = state.withLock { state in
                state.underWay[request] = count
                return state.underWay.values.reduce(state.stored, +)
            }
            report(sum)
        }
    }
}
