import CloudSync
import HTTP
import Net
import Synchronization
import Tracing

/// The parts of the opening request for the life of the socket.
struct SocketOpening: Sendable {
    /// The id of the request.
    let id: String
    // The parts of the caller. Each id takes 16 bytes here, and 80 as a text.
    private let account: AccountID
    private let session: AccountID
    private let counter: Int
    private let keyID: String
    private let signatureVersion: Int
    /// The end of the token, in Unix seconds.
    let expiresAt: Int
    /// The site of the client; nil behind a Unix socket.
    let site: IPAddress?
    /// True if the client knows more messages than the specification's five.
    let speaksV2: Bool
    let publicURL: String
    let rules: RealtimeRules
    private let rates: WriteRates

    /// Nil if an id is no UUID.
    init?(
        _ context: RequestContext,
        _ identity: Identity,
        speaksV2: Bool,
        _ rules: RealtimeRules,
        _ rates: WriteRates
    ) {
        let caller = identity.caller(signatureVersion: context.signature.version)
        guard let account = AccountID(caller.userID), let session = AccountID(caller.sessionID) else { return nil }
        (self.account, self.session, counter) = (account, session, caller.counter)
        (keyID, signatureVersion) = (caller.keyID, caller.signatureVersion)
        id = context.record?.id ?? ""
        expiresAt = identity.expiresAt
        site = context.address?.site
        self.speaksV2 = speaksV2
        publicURL = context.publicURL
        self.rules = rules
        self.rates = rates
    }

    /// Without the used nonce.
    var caller: Caller {
        Caller(
            userID: account.text,
            sessionID: session.text,
            counter: counter,
            keyID: keyID,
            signatureVersion: signatureVersion
        )
    }

    /// Sends a command: a write of the account like any other.
    func send(
        _ command: RemoteCommand,
        _ seat: RealtimeSeat,
        _ sender: String,
        _ commands: CommandService
    ) async throws -> CommandOutcome {
        let caller = self.caller
        return try await rates.passing(caller.userID, weight: { 1 }) {
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
        let caller = opening.caller
        return SocketEnd(
            id: opening.id,
            account: caller.userID,
            session: caller.sessionID,
            code: code,
            seconds: Int((Monotonic.nowMs() - min(beginMs, Monotonic.nowMs())) / 1000),
            received: received,
            sent: sent,
            bytes: bytes,
            failure: failure
        )
    }
}

/// Undoes an opening without a 101, after a lost connection or another response.
final class OpeningGuard: Sendable {
    private let isTaken = Atomic(false)
    private let undo: @Sendable () -> Void

    init(undo: @escaping @Sendable () -> Void) { self.undo = undo }

    /// The connection has been handed over.
    func take() { isTaken.store(true, ordering: .relaxed) }

    deinit { if !isTaken.load(ordering: .relaxed) { undo() } }
}
