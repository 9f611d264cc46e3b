import CloudSync
import HTTP
import Net
import Synchronization
import Tracing

/// What a socket keeps of the request that opened it.
struct SocketOpening: Sendable {
    /// The id of the request.
    let id: String
    /// Without the nonce, which is spent.
    let caller: Caller
    /// The end of the token, in Unix seconds.
    let expiresAt: Int
    /// The site of the client; nil behind a Unix socket.
    let site: IPAddress?
    /// True if the client knows the messages beyond the specification's five.
    let speaksV2: Bool
    let publicURL: String
    let rules: RealtimeRules
    private let rates: WriteRates

    init(_ context: RequestContext, _ identity: Identity, speaksV2: Bool, _ rules: RealtimeRules, _ rates: WriteRates) {
        id = context.record?.id ?? ""
        caller = identity.caller(signatureVersion: context.signature.version)
        expiresAt = identity.expiresAt
        site = context.address?.site
        self.speaksV2 = speaksV2
        publicURL = context.publicURL
        self.rules = rules
        self.rates = rates
    }

    /// Sends a command: a write of the account like any other.
    func send(
        _ command: RemoteCommand,
        _ seat: RealtimeSeat,
        _ sender: String,
        _ commands: CommandService
    ) async throws -> CommandOutcome {
        try await rates.passing(caller.userID, weight: { 1 }) {
            try await commands.send(command, from: seat, named: sender, for: caller)
        }
    }

    /// The problem of a failed command, and the details of a fault of this server.
    func problem(of error: any Error) -> (Problem, failure: String?) {
        let record = RequestRecord()
        let problem = Problem(error, record)
        return (problem, problem.type == .internalError ? record.failure : nil)
    }
}

/// The messages and bytes of a socket so far.
struct SocketFigures {
    var beginMs: UInt64 = 0
    var received = 0
    var sent = 0
    var bytes = 0
    var failure: String?

    func end(of opening: SocketOpening, code: Int) -> SocketEnd {
        SocketEnd(
            id: opening.id,
            account: opening.caller.userID,
            session: opening.caller.sessionID,
            code: code,
            seconds: Int((Monotonic.nowMs() - min(beginMs, Monotonic.nowMs())) / 1000),
            received: received,
            sent: sent,
            bytes: bytes,
            failure: failure
        )
    }
}

/// Undoes an opening whose 101 was not sent: the client has gone, or the response was replaced.
final class OpeningGuard: Sendable {
    private let isTaken = Atomic(false)
    private let undo: @Sendable () -> Void

    init(undo: @escaping @Sendable () -> Void) { self.undo = undo }

    /// The connection has been handed over.
    func take() { isTaken.store(true, ordering: .relaxed) }

    deinit { if !isTaken.load(ordering: .relaxed) { undo() } }
}
