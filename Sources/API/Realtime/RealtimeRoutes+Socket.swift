import CloudSync
import HTTP
import Net

// MARK: Opening of sockets

extension RealtimeRoutes {
    /// The time for the check of the session and the read of the state.
    private static let openingMs: UInt64 = 5000

    /// Answers 101 when the session is good and the account's state is there: after it nothing can be refused.
    func openSocket(_ context: RequestContext) async throws -> Response {
        guard let request = context.request, let identity = context.identity, let loop = EventLoop.current,
            let handshake = SocketHandshake(request.head)
        else { throw Self.upgradeRequired }
        guard let opening = SocketOpening(context, identity, speaksV2: handshake.speaksV2, rules, rates) else {
            throw CloudSyncError.unauthenticated(.tokenInvalid)
        }
        try await services.room.takePlace(for: opening.site)
        let handle = LoopBound(RealtimeSocket(services, opening), to: loop)
        let undo = OpeningGuard {
            if loop.isCurrent { return handle.value.abandon() }
            loop.spawn { handle.value.abandon() }
        }
        let door = RealtimeSeat.Door.socket(speaksV2: handshake.speaksV2)
        let seat = try seat(of: context, door) { handle.value.receive($0) }
        (handle.value.seat, handle.value.handle) = (seat, handle)
        handle.value.name = try await enter(seat, context.caller(), loop)
        let upgrade = request.upgrade(to: "websocket", fields: handshake.fields) { connection in
            undo.take()
            handle.value.begin(connection)
        }
        guard let upgrade else { throw Self.upgradeRequired }
        return upgrade
    }

    /// Returns the name of the seat's device. Throws `.overloaded` after `openingMs`; the work then goes on without effect.
    private func enter(_ seat: RealtimeSeat, _ caller: Caller, _ loop: EventLoop) async throws -> String {
        let entry = SocketEntry()
        let (hub, commands) = (services.hub, services.commands)
        await loop.awaiting(forMs: Self.openingMs) {
            let isLate = await entry.set {
                try await hub.open(seat)
                try await commands.enter(caller, spendsNonce: true)
                return try await hub.ready(seat)
            }
            // The seat may have been registered after its opening was given up.
            if isLate { hub.leave(seat) }
        }
        return try entry.name()
    }

    private static var upgradeRequired: Problem {
        var problem = Problem(.upgradeRequired)
        problem.fields = [("Upgrade", "websocket"), ("Sec-WebSocket-Version", SocketHandshake.version)]
        return problem
    }
}

/// The outcome of an opening, which may come too late.
private final class SocketEntry: Sendable {
    private enum State {
        case pending
        case done(Result<String, any Error>)
        case late
    }

    private let state = Locked(State.pending)

    /// Returns true if nobody waits for the result any more.
    func set(_ work: @Sendable () async throws -> String) async -> Bool {
        let result: Result<String, any Error>
        do {
            result = .success(try await work())
        } catch {
            result = .failure(error)
        }
        return state.withLock { state in
            if case .late = state { return true }
            state = .done(result)
            return false
        }
    }

    func name() throws -> String {
        let result: Result<String, any Error>? = state.withLock { state in
            guard case .done(let result) = state else {
                state = .late
                return nil
            }
            return result
        }
        guard let result else { throw CloudSyncError.problem(.overloaded) }
        return try result.get()
    }
}
