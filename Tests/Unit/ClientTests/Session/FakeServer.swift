import Foundation
import NeuroViewsCrypto
import NeuroViewsJSON

@testable import NeuroViewsClient

/// The sessions of a server (docs/interface.md, "Sessions"), as far as a client can tell, behind a network with faults.
final class FakeServer: NeuroViewsClient.Transport {
    /// What happens to the next request to a path.
    enum Fault: Sendable {
        /// The request does not arrive.
        case unreached
        /// The request does not arrive, for this reason.
        case failed(TransportError)
        /// The request arrives, and its answer is lost.
        case lost
        /// The answer waits until the gate opens.
        case held(Gate)
        /// Somebody else answers, or the server, without doing anything.
        case answer(TransferAnswer)
    }

    /// A request with a token or without.
    struct Request: Sendable {
        let method: String
        /// Below the interface's version.
        let path: String
        let fields: [String: String]
        let json: JSON?

        var name: String { "\(method) \(path)" }
        var token: String { fields["authorization"].map { String($0.dropFirst("Bearer ".count)) } ?? "" }
    }

    struct State: Sendable {
        var clock: Int64 = 1_800_000_000
        var passwords = ["ada@example.org": "nine old lenses", "bob@example.org": "a red balloon"]
        var users = ["ada@example.org": UUID(), "bob@example.org": UUID()]
        var sessions: [FakeSession] = []
        var nonces: Set<String> = []
        var faults: [(path: String, fault: Fault)] = []
        var requests: [Request] = []
        /// The account wants a second factor.
        var hasApp = false
    }

    static let base = "https://cloud.example.org/v2"
    let state = Guarded(State())

    /// The requests so far, as `POST /auth/refresh`.
    var names: [String] { state.withLock { $0.requests.map(\.name) } }
    var requests: [Request] { state.withLock { $0.requests } }
    var ada: UUID { user("ada@example.org") }
    var bob: UUID { user("bob@example.org") }

    func count(_ name: String) -> Int { names.count { $0 == name } }

    /// The next requests to the path meet these faults, one after the other.
    func meet(_ path: String, _ faults: Fault...) {
        state.withLock { state in state.faults += faults.map { (path, $0) } }
    }

    func change(_ body: (inout State) -> Void) { state.withLock { body(&$0) } }

    private func user(_ email: String) -> UUID { state.withLock { $0.users[email] } ?? UUID() }

    func send(_ request: TransferRequest, into _: DownloadFile?) async throws(TransportError) -> TransferAnswer {
        let sent = Self.read(request)
        let (fault, answer) = state.withLock { state in
            state.requests.append(sent)
            let index = state.faults.firstIndex { $0.path == sent.path }
            let fault = index.map { state.faults.remove(at: $0).fault }
            switch fault {
            case .unreached, .failed, .answer: return (fault, nil as TransferAnswer?)
            case .lost, .held, nil: return (fault, state.answer(to: sent, request))
            }
        }
        switch fault {
        case .unreached: throw .notConnected("nobody listens")
        case .failed(let error): throw error
        case .lost: throw .cut("the connection ended")
        case .held(let gate): await gate.pass()
        case .answer(let answer): return answer
        case nil: break
        }
        // A real transport would end the request.
        if Task.isCancelled { throw .cancelled }
        return answer ?? .refusal(500, "internal-error")
    }

    private static func read(_ request: TransferRequest) -> Request {
        var bytes: [UInt8] = []
        if case .bytes(let body) = request.body { bytes = body }
        let fields = request.fields.map { ($0.name.lowercased(), $0.value) }
        return Request(
            method: request.method,
            path: String(request.url.dropFirst(base.count)),
            fields: Dictionary(fields) { $1 },
            json: try? JSONParser.parse(bytes, policy: .rfc8259)
        )
    }
}

/// A session, and what its tokens are good for. A token is `<number of the session>.<counter>`.
struct FakeSession: Sendable {
    let number: Int
    let user: UUID
    var counter = 1
    /// The attempt that made the newest token.
    var attempt: String?
    /// The newest counter that has expired.
    var expired = 0
    /// True if the token before the newest gets `token-outdated`.
    var outdates = false
    var isEnded = false

    var key: [UInt8] { [UInt8](repeating: UInt8(number), count: 32) }
    var token: String { "\(number).\(counter)" }
}

/// Holds answers back.
actor Gate {
    private var isOpen = false
    private var waiting: [CheckedContinuation<Void, Never>] = []
    /// The answers that wait.
    var count: Int { waiting.count }

    func pass() async {
        if isOpen { return }
        await withCheckedContinuation { waiting.append($0) }
    }

    func open() {
        isOpen = true
        for continuation in waiting { continuation.resume() }
        waiting = []
    }
}

extension TransferAnswer {
    /// The server's answer with JSON.
    static func success(_ status: Int, _ text: String = "{}") -> TransferAnswer {
        TransferAnswer(status: status, fields: [("Content-Type", "application/json")], body: Array(text.utf8))
    }

    /// The server's refusal. `more`: members behind a comma.
    static func refusal(
        _ status: Int,
        _ code: String,
        more: String = "",
        _ fields: [TransferRequest.Field] = []
    ) -> TransferAnswer {
        let text =
            #"{"type":"https://cloud.example.org/v2/problems/\#(code)","title":"\#(code)","detail":"Do it."\#(more)}"#
        let type = [(name: "Content-Type", value: "application/problem+json")]
        return TransferAnswer(status: status, fields: type + fields, body: Array(text.utf8))
    }
}
