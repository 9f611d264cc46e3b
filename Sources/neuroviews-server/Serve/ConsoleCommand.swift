import HTTP
import Machine
import Net
import Operations
import Settings

/// `console`: the operators' page, until SIGTERM or SIGINT, or until nobody needs it.
struct ConsoleCommand {
    private static let (connectionsMax, drainMaxMs, lookEveryMs) = (32, UInt64(1000), 1000)

    private let port: UInt16
    private let isReadOnly: Bool
    private let settings: Settings
    private let signals: ProcessSignals

    /// Sets up signals. Must be called before the first thread.
    init(port: UInt16, isReadOnly: Bool, _ settings: Settings) {
        (self.port, self.isReadOnly, self.settings) = (port, isReadOnly, settings)
        signals = ProcessSignals()
    }

    func run() throws {
        let listener = try listener()
        let loop = try EventLoop(index: 0)
        defer { loop.stop() }
        let work = try OperatorWork(settings)
        defer { work.stop() }
        let gate = try ConsoleGate()
        let port = listener.address.port
        let server = try server(listener, loop, gate, work)
        try BlockingWait.run(on: loop) { try await server.start() }
        StandardStreams.print(
            """
            http://127.0.0.1:\(port)/#\(gate.code)
            Open this address within 5 minutes; it works once. Ctrl-C ends the console.

            """
        )
        wait(gate)
        try BlockingWait.run(on: loop) { _ = await server.drain(timeoutMs: Self.drainMaxMs) }
    }

    /// Only this machine reaches it.
    private func listener() throws -> Listener {
        guard let address = SocketAddress(host: "127.0.0.1", port: port) else { throw CommandFailure("No address.") }
        do {
            return try Listener(address)
        } catch {
            throw CommandFailure("The console can't listen on \(address) (\(error)): choose another --port.")
        }
    }

    private func server(
        _ listener: Listener,
        _ loop: EventLoop,
        _ gate: ConsoleGate,
        _ work: OperatorWork
    ) throws -> Server {
        let application = try OperatorApplication(
            gate: gate,
            port: listener.address.port,
            isReadOnly: isReadOnly,
            work
        )
        var limits = ServerLimits()
        limits.connectionsMax = Self.connectionsMax
        return Server(
            listener,
            loops: [loop],
            limits: limits,
            fixedFields: application.fixedFields,
            refusal: application.refuse,
            handler: application.respond
        )
    }

    private func wait(_ gate: ConsoleGate) {
        while !gate.isOver {
            if signals.next(withinMs: Self.lookEveryMs) == .stop { return }
        }
        StandardStreams.complain("The console has ended: nobody used it for half an hour, or five codes were wrong.")
    }
}
