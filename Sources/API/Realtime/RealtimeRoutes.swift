import CloudSync
import HTTP
import Net

/// `/v2` with an upgrade to a WebSocket, and `/realtime`: what a watch or a page uses instead.
struct RealtimeRoutes: Sendable {
    let services: RealtimeServices
    let schemas: Schemas
    let rules: RealtimeRules
    let rates: WriteRates

    init(_ services: RealtimeServices, _ schemas: Schemas, _ rates: WriteRates) throws {
        self.services = services
        self.schemas = schemas
        self.rates = rates
        rules = RealtimeRules(message: try schemas["realtime-message.json"])
    }

    /// No routes where realtime is switched off.
    static func all(_ services: RealtimeServices?, _ schemas: Schemas, _ rates: WriteRates) throws -> [RouteEntry] {
        guard let services else { return [] }
        return try RealtimeRoutes(services, schemas, rates).routes
    }

    /// Outside the document: a path there begins with a slash behind /v2.
    static let socketPath = "/v2"

    var routes: [RouteEntry] {
        [
            (.get, Self.socketPath, Endpoint(EndpointPolicy(.session, opensChannel: true), openSocket)),
            (
                .post, "/v2/realtime/commands",
                Endpoint(EndpointPolicy(.session, body: .collected(.usual), waits: true), send)
            ),
            (.get, "/v2/realtime/state", Endpoint(EndpointPolicy(.session, waits: true), state)),
        ]
    }

    private static let waitMaxS = 50

    private func send(_ context: RequestContext) async throws -> Response {
        let (body, value) = (context.body, try await context.json(schemas["realtime-command.json"]))
        let command = try RemoteCommand(body: body, value)
        let outcome = try await seated(context) { seated in
            try await services.commands.send(command, from: seated.seat, named: seated.name, for: context.caller())
        }
        return .json(.ok) { outcome.write(to: &$0, id: "id") }
    }

    private func state(_ context: RequestContext) async throws -> Response {
        let waitMs = UInt64(try Self.waitSeconds(context)) * 1000
        let known = try context.tags("if-none-match")
        let text = try await seated(context) { seated in
            try await changed(seated, context, known, untilMs: Monotonic.nowMs() + waitMs)
        }
        return .json(.ok, fields: [("ETag", EntityTag.of(text))], text)
    }

    private static func waitSeconds(_ context: RequestContext) throws(Problem) -> Int {
        guard let text = try context.parameter("wait_s") else { return 0 }
        guard text.utf8.count <= 2, text.utf8.allSatisfy({ (48...57).contains($0) }), let seconds = Int(text),
            seconds <= waitMaxS
        else { throw Problem(parameter: "wait_s", "must be a number from 0 to \(waitMaxS)", keyword: "maximum") }
        return seconds
    }
}

// MARK: Requests that wait

extension RealtimeRoutes {
    /// How often a wait looks if its client, its token and this server are still there.
    private static let lookMs: UInt64 = 2000

    /// A request that has a seat.
    private struct Seated {
        let seat: RealtimeSeat
        /// The name of the caller's device.
        let name: String
        let wait: RealtimeWait
    }

    /// The present state, as soon as it is another one than the client knows, at the latest at `untilMs`.
    private func changed(
        _ seated: Seated,
        _ context: RequestContext,
        _ known: [EntityTag.Listed]?,
        untilMs: UInt64
    ) async throws -> [UInt8] {
        var state = await services.hub.state(for: seated.seat)
        while true {
            try seated.wait.check()
            let text = StateText.json(state)
            let nowMs = Monotonic.nowMs()
            // `*` names every state: there is none to wait for.
            guard let known, !known.isEmpty, EntityTag.names(known, EntityTag.of(text), strong: false), nowMs < untilMs,
                context.record?.presence?.isHere != false, !services.isStopping
            else { return text }
            if let identity = context.identity, services.now() >= identity.expiresAt {
                throw CloudSyncError.unauthenticated(.tokenExpired)
            }
            let sliceMs = min(Self.lookMs, untilMs - nowMs)
            state = await services.hub.state(for: seated.seat, after: state.version, forMs: sliceMs)
        }
    }

    /// Runs `body` with a seat of the caller's account. The seat is registered before the session is checked, and is free before the
    /// client gets its answer. The cause of an end from outside is thrown, whatever follows from it.
    private func seated<T: Sendable>(
        _ context: RequestContext,
        _ body: (Seated) async throws -> T
    ) async throws -> T {
        let wait = RealtimeWait(of: context.address?.site)
        let seat = try seat(of: context, .request) { wait.receive($0) }
        try await services.room.takePlace(for: wait.site)
        services.room.sockets.current?.add(wait) { [hub = services.hub] in hub.leave(seat) }
        let result: Result<T, any Error>
        do {
            try await services.hub.open(seat)
            // A command's row spends the nonce, once.
            try await services.commands.enter(context.caller(), spendsNonce: false)
            let name = try await services.hub.ready(seat)
            try wait.check()
            result = .success(try await body(Seated(seat: seat, name: name, wait: wait)))
        } catch {
            result = .failure(wait.cause(of: error))
        }
        await services.hub.left(seat)
        services.room.sockets.current?.remove(wait)
        if !wait.hasGivenWay { services.room.places.leave(wait.site) }
        return try result.get()
    }

    /// A seat on this loop. A server that stops gives none.
    func seat(
        of context: RequestContext,
        _ door: RealtimeSeat.Door,
        _ receive: @escaping @Sendable (RealtimeDelivery) -> Void
    ) throws(CloudSyncError) -> RealtimeSeat {
        guard let loop = EventLoop.current, let identity = context.identity, !services.isStopping else {
            throw .problem(.overloaded)
        }
        let made = RealtimeSeat(
            userID: identity.userID,
            sessionID: identity.sessionID,
            counter: identity.counter,
            door: door,
            loop: loop,
            receive: receive
        )
        guard let seat = made else { throw .unauthenticated(.tokenInvalid) }
        return seat
    }
}
