/// The orders and events between the code that carries a WebSocket's bytes, on a thread or a queue of its own, and its users.
final class ChannelWire: Sendable {
    typealias Opening = Result<ChannelOpening, TransportError>

    /// What the users want.
    struct Orders {
        var messages: [[UInt8]]
        /// The user wants the closing handshake.
        var closes: Bool
        /// The channel has no user any more.
        var ends: Bool
        /// There is a place for the next message.
        var hasRoom: Bool
    }

    fileprivate struct State {
        var opener: CheckedContinuation<Opening, Never>?
        var outgoing: [[UInt8]] = []
        var closes = false
        var ends = false
        /// Messages that are not taken yet.
        var incoming: [(message: [UInt8], at: ContinuousClock.Instant)] = []
        var reader: CheckedContinuation<ChannelEvent, Never>?
        var end: ChannelEnd?
    }

    private let state = Guarded(State())
    /// Lets the other side look at its orders.
    private let wakeUp: @Sendable () -> Void
    private let waitingMax: Int

    init(waitingMax: Int, wakeUp: @escaping @Sendable () -> Void) {
        (self.waitingMax, self.wakeUp) = (waitingMax, wakeUp)
    }

    // MARK: For the users

    /// Runs `begin`, after which the other side calls `answer`, and waits for that.
    func opening(_ begin: () -> Void) async -> Opening {
        await withCheckedContinuation { continuation in
            let isCancelled = state.withLock { state in
                if !state.ends { state.opener = continuation }
                return state.ends
            }
            if isCancelled { continuation.resume(returning: .failure(.cancelled)) } else { begin() }
        }
    }

    func send(_ message: [UInt8]) {
        let isOpen = state.withLock { state in
            let isOpen = state.end == nil && !state.closes
            if isOpen { state.outgoing.append(message) }
            return isOpen
        }
        if isOpen { wakeUp() }
    }

    func receive() async -> ChannelEvent {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let (event, makesRoom) = state.withLock { state in
                    let makesRoom = state.incoming.count == waitingMax
                    let event = state.next()
                    if event == nil { state.reader = continuation }
                    return (event, makesRoom)
                }
                if makesRoom { wakeUp() }
                if let event { continuation.resume(returning: event) }
            }
        } onCancel: {
            end()
        }
    }

    func close() {
        state.withLock { $0.closes = true }
        wakeUp()
    }

    /// Ends the channel, or its opening, at once.
    func end() {
        let opener = state.withLock { state in
            defer { state.opener = nil }
            state.ends = true
            state.incoming = []
            return state.opener
        }
        opener?.resume(returning: .failure(.cancelled))
        deliver(.ended(ChannelEnd()))
        wakeUp()
    }

    // MARK: For the other side

    func takeOrders() -> Orders {
        state.withLock { state in
            defer { state.outgoing = [] }
            return Orders(
                messages: state.outgoing,
                closes: state.closes,
                ends: state.ends,
                hasRoom: state.incoming.count < waitingMax
            )
        }
    }

    /// Resumes the task that waits for the opening. Only the first call counts.
    func answer(_ opening: Opening) {
        let opener = state.withLock { state in
            defer { state.opener = nil }
            return state.opener
        }
        opener?.resume(returning: opening)
    }

    /// Gives an event to the reader. Nothing follows an end.
    func deliver(_ event: ChannelEvent) {
        let (reader, next) = state.withLock { state in
            state.add(event)
            guard let reader = state.reader, let next = state.next() else {
                return (nil as CheckedContinuation<ChannelEvent, Never>?, event)
            }
            state.reader = nil
            return (reader, next)
        }
        reader?.resume(returning: next)
    }
}

extension ChannelWire.State {
    fileprivate mutating func add(_ event: ChannelEvent) {
        guard end == nil else { return }
        switch event {
        case .message(let message, let at): incoming.append((message, at))
        case .ended(let reason): end = reason
        }
    }

    /// The next event, for the caller.
    fileprivate mutating func next() -> ChannelEvent? {
        if !incoming.isEmpty {
            let (message, at) = incoming.removeFirst()
            return .message(message, at: at)
        }
        return end.map { .ended($0) }
    }
}
