import CloudSync
import Net

/// The open sockets and the waits of one loop. One walk a second looks at each socket: there are no timers of sockets.
final class SocketList {
    private static let walkMs: UInt64 = 1000
    private var sockets: [RealtimeSocket] = []
    private var timer: LoopTimer?
    /// The oldest first.
    private var waits: [(wait: RealtimeWait, leave: @Sendable () -> Void)] = []

    /// Adds a socket. The walks begin with the first one.
    func add(_ socket: RealtimeSocket) {
        socket.position = sockets.count
        sockets.append(socket)
        if timer == nil { walkLater() }
    }

    func remove(_ socket: RealtimeSocket) {
        guard socket.position < sockets.count, sockets[socket.position] === socket else { return }
        let last = sockets.removeLast()
        if last !== socket {
            last.position = socket.position
            sockets[socket.position] = last
        }
    }

    private func walkLater() {
        guard let loop = EventLoop.current else { return }
        let timer = self.timer ?? LoopTimer { [weak self] in self?.walk() }
        self.timer = timer
        loop.schedule(timer, atMs: Monotonic.nowMs() + Self.walkMs)
    }

    /// A socket that ends during the walk changes the list: its copy is walked.
    private func walk() {
        guard !sockets.isEmpty else { return timer = nil }
        let nowMs = Monotonic.nowMs()
        let nowS = sockets[0].services.now()
        for socket in sockets { socket.look(nowMs: nowMs, nowS: nowS) }
        walkLater()
    }

    /// Closes all sockets, evenly until `lastMs` from now. `count` is the number in the whole server: their clients come back over a
    /// time in which no more than 1,000 a second do.
    func closeAll(lastMs: UInt64, count: Int) {
        let nowMs = Monotonic.nowMs()
        let pauseMaxMs = max(1000, UInt64(max(0, count)))
        for socket in sockets {
            let afterMs = UInt64.random(in: 0...max(Self.openCommandsMs, lastMs) - Self.openCommandsMs)
            socket.closeLater(
                atMs: nowMs + Self.openCommandsMs + afterMs,
                pauseMs: UInt64.random(in: 0...pauseMaxMs)
            )
        }
    }

    /// The time for the outcomes of open commands.
    private static let openCommandsMs: UInt64 = 2000

}

// MARK: Places

extension SocketList {
    /// Adds a wait. `leave` ends it.
    func add(_ wait: RealtimeWait, leave: @escaping @Sendable () -> Void) { waits.append((wait, leave)) }

    func remove(_ wait: RealtimeWait) {
        if let index = waits.lastIndex(where: { $0.wait === wait }) { waits.remove(at: index) }
    }

    /// The silence of the most silent client of a site; nil: none is here. Pongs don't count.
    func silenceMs(of site: IPAddress?) -> UInt64? {
        let nowMs = Monotonic.nowMs()
        return mostSilent(of: site).map { nowMs - min(nowMs, $0.sinceMs) }
    }

    /// Ends the most silent one of a site for a newcomer, which gets its place. Returns false if there is none.
    func giveWay(of site: IPAddress?) -> Bool { mostSilent(of: site)?.giveWay() == true }

    private func mostSilent(of site: IPAddress?) -> (sinceMs: UInt64, giveWay: () -> Bool)? {
        let socket = sockets.filter { $0.site == site && $0.isOpen }.min { $0.spokeMs < $1.spokeMs }
        let found = waits.first { $0.wait.site == site }
        if let socket, socket.spokeMs <= found?.wait.sinceMs ?? .max { return (socket.spokeMs, { socket.giveWay() }) }
        guard let (wait, leave) = found else { return nil }
        let giveWay = { () -> Bool in
            wait.giveWay()
            self.remove(wait)
            leave()
            return true
        }
        return (wait.sinceMs, giveWay)
    }
}
