import CloudSync
import Net
import Synchronization

/// What the routes of realtime share: the hub, the commands, and the sockets of each loop.
package final class RealtimeServices: Sendable {
    let hub: RealtimeHub
    let commands: CommandService
    let counts: RealtimeCounts
    /// Unix seconds.
    let now: @Sendable () -> Int
    /// The time for a stop of the server.
    let drainTimeoutMs: UInt64
    let room: RealtimeRoom
    /// Receives the end of each socket, on its loop.
    let report: @Sendable (SocketEnd) -> Void
    private let stopLoop: EventLoop
    private let hasStopped = Atomic(false)

    /// `connectionsMax` is the limit of the server: sockets and waits may be half of it.
    package init(
        hub: RealtimeHub,
        commands: CommandService,
        counts: RealtimeCounts,
        loops: [EventLoop],
        connectionsMax: Int,
        drainTimeoutMs: UInt64,
        now: @escaping @Sendable () -> Int,
        report: @escaping @Sendable (SocketEnd) -> Void
    ) {
        self.hub = hub
        self.commands = commands
        self.counts = counts
        self.now = now
        self.drainTimeoutMs = drainTimeoutMs
        self.report = report
        room = RealtimeRoom(placesMax: max(1, connectionsMax / 2), loops: loops)
        stopLoop = loops[0]
    }

    /// True after `stop`: openings are refused, and waits end.
    var isStopping: Bool { hasStopped.load(ordering: .relaxed) }

    /// Must be called before the server drains. Open commands have two seconds; then the sockets close one after the other.
    package func stop() {
        hasStopped.store(true, ordering: .relaxed)
        commands.stop(on: stopLoop)
        let (count, services) = (room.places.count, self)
        stopLoop.spawn { await services.closeAll(count) }
    }

    private func closeAll(_ count: Int) async {
        let lastMs = drainTimeoutMs / 2
        _ = await room.sockets.gather { list in list.closeAll(lastMs: lastMs, count: count) }
    }
}

/// The end of a socket, for the log.
package struct SocketEnd: Sendable {
    /// The id of the request that opened it.
    package let id: String
    package let account: String
    package let session: String
    /// The close code; 1006 without a close frame.
    package let code: Int
    package let seconds: Int
    /// Messages of the client, and those to it.
    package let received: Int
    package let sent: Int
    /// Bytes of the frames in both directions.
    package let bytes: Int
    /// The details of a failure; never shown to clients.
    package let failure: String?
}
