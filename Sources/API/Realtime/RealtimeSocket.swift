import CloudSync
import HTTP
import Net

/// One WebSocket, from its 101 to its end. Used on its connection's loop only.
final class RealtimeSocket {
    /// The states of a socket.
    enum State: Equatable {
        /// The seat is taken, and the 101 not sent yet.
        case opening
        case open
        /// The own close frame is queued or sent; the peer's is awaited until then.
        case closing(untilMs: UInt64)
        /// Seat and connection are released.
        case gone
    }

    let services: RealtimeServices
    let opening: SocketOpening
    var state = State.opening
    /// Nil before the 101 and after the end.
    var connection: HandedConnection?
    var seat: RealtimeSeat?
    /// This socket, for tasks and other loops.
    var handle: LoopBound<RealtimeSocket>?
    /// The index in its loop's list.
    var position = 0
    /// The name of the device, as `from` of its messages.
    var name = ""

    var wire = SocketWire()
    var queue = SocketQueue()
    var rate: MessageRate
    /// Wrong messages in a row.
    var faults = 0
    /// The commands that it waits for.
    var openCommands = 0
    /// Bytes that count in the memory of the connection's holder.
    var reservedBytes = 0
    /// Bytes that the account keeps for the device.
    var statesBytes = 0

    /// The last byte of the client, and the last message or opening: a pong shows no use.
    var heardMs: UInt64
    var spokeMs: UInt64
    /// The ping that is not answered yet.
    var pingedMs: UInt64?
    /// The start of the time in which the client takes nothing.
    var blockedMs: UInt64?
    /// The end by a stop of the server.
    private var closesAtMs = UInt64.max
    private var closePauseMs: UInt64 = 0
    /// The silence before a ping: spread, so that sockets that were opened together are not asked together.
    private let silenceMs: UInt64
    /// True: another one has its place.
    private var hasGivenWay = false
    /// Set before the socket has its connection.
    private var early: CloseReason?
    /// The code for the log.
    var code = CloseReason.lost.code
    var figures = SocketFigures()

    private static let silenceMaxMs: UInt64 = 30_000
    private static let spreadMs: UInt64 = 3000
    private static let pongMs: UInt64 = 10_000
    private static let blockedMaxMs: UInt64 = 30_000
    static let closeMs: UInt64 = 2000

    init(_ services: RealtimeServices, _ opening: SocketOpening) {
        self.services = services
        self.opening = opening
        let nowMs = Monotonic.nowMs()
        (heardMs, spokeMs) = (nowMs, nowMs)
        rate = MessageRate(nowMs: nowMs)
        silenceMs = Self.silenceMaxMs - UInt64.random(in: 0...Self.spreadMs)
    }

    var isOpen: Bool { state == .open }
    var site: IPAddress? { opening.site }
    var speaksV2: Bool { opening.speaksV2 }

    /// Begins with the connection after the 101.
    func begin(_ connection: HandedConnection) {
        self.connection = connection
        state = .open
        figures.beginMs = Monotonic.nowMs()
        services.room.sockets.current?.add(self)
        reserveStates()
        // The server has begun to stop during the opening.
        if services.isStopping { closeLater(atMs: 0, pauseMs: UInt64.random(in: 0...1000)) }
        if let early { close(early) }
        write()
        read()
    }

    /// Looks for what is due. Called once a second.
    func look(nowMs: UInt64, nowS: Int) {
        if let blockedMs, nowMs >= blockedMs + Self.blockedMaxMs { return end(resets: true) }
        switch state {
        case .opening, .gone: return
        case .closing(let untilMs):
            if nowMs >= untilMs { end(resets: false) }
        case .open:
            if nowS >= opening.expiresAt { return close(.tokenEnded) }
            if nowMs >= closesAtMs { return close(.restart(pauseMs: closePauseMs)) }
            if let pingedMs {
                if nowMs >= pingedMs + Self.pongMs { end(resets: true) }
            } else if nowMs >= heardMs + silenceMs {
                pingedMs = nowMs
                queue.add(control: SocketWire.ping())
                write()
            }
        }
    }

    /// Closes the socket at that time: the client comes back after the pause.
    func closeLater(atMs: UInt64, pauseMs: UInt64) {
        guard closesAtMs == .max else { return }
        (closesAtMs, closePauseMs) = (atMs, pauseMs)
    }

    /// Queues the close frame. Nothing is taken from the client any more, and nothing of the hub is sent.
    func close(_ reason: CloseReason) {
        guard state != .opening else { return early = early ?? reason }
        guard state == .open else { return }
        code = reason.code
        state = .closing(untilMs: Monotonic.nowMs() + Self.closeMs)
        leaveSeat()
        queue.close(SocketWire.close(reason))
        write()
    }

    /// Closes at once for a newcomer, which gets its place. Returns false if the socket ended by itself, and left its place.
    func giveWay() -> Bool {
        close(.tryLater)
        guard state != .gone else { return false }
        hasGivenWay = true
        end(resets: false)
        return true
    }

    /// Releases everything. `resets` drops what the client has not taken.
    func end(resets: Bool) {
        guard state != .gone else { return }
        state = .gone
        leaveSeat()
        services.room.sockets.current?.remove(self)
        if !hasGivenWay { services.room.places.leave(site) }
        release(reservedBytes)
        if resets { connection?.reset() } else { connection?.close() }
        connection = nil
        handle = nil
        queue = SocketQueue()
        services.counts.addClosed(code)
        services.report(figures.end(of: opening, code: code))
    }

    /// Ends a socket whose 101 was never sent.
    func abandon() {
        guard state == .opening else { return }
        state = .gone
        leaveSeat()
        services.room.places.leave(site)
        handle = nil
    }

    private func leaveSeat() {
        if let seat { services.hub.leave(seat) }
        seat = nil
        releaseStates()
    }
}
