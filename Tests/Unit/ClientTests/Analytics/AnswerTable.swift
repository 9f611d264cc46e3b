import Foundation
import NeuroViewsJSON
import TestSupport

@testable import NeuroViewsClient

/// A transport without a network: a function of the test answers each request. So a test can make the faults of networks, too. All requests
/// are noted.
final class AnswerTable: NeuroViewsClient.Transport {
    /// A request. Its path begins after `/v2`.
    struct Request: Sendable {
        let method: String
        let path: String
        let body: String
        let fields: [String: String]

        /// Method and path, such as `PUT /account/consents`.
        var name: String { "\(method) \(path)" }
        var json: JSON { Given.json(body) }
    }

    typealias Answering = @Sendable (Request) throws(TransportError) -> TransferAnswer

    static let user = UUID()
    private let noted = Guarded<[Request]>([])
    private let answering: Guarded<Answering>

    init(_ answering: @escaping Answering) { self.answering = Guarded(answering) }

    /// All requests so far but logins.
    var requests: [Request] { noted.withLock { $0.filter { $0.path != "/auth/login" } } }
    var names: [String] { requests.map(\.name) }

    /// Replaces the function that answers.
    func answer(_ other: @escaping Answering) { answering.withLock { $0 = other } }

    func send(
        _ request: TransferRequest,
        into file: DownloadFile?
    ) async throws(TransportError) -> TransferAnswer {
        let sent = Self.read(request)
        noted.withLock { $0.append(sent) }
        if sent.path == "/auth/login" { return Self.login }
        // Other tasks run during a request, as they do with a network.
        for _ in 0..<10 { await Task.yield() }
        let answering = answering.withLock { $0 }
        return try answering(sent)
    }

    private static func read(_ request: TransferRequest) -> Request {
        var body = ""
        if case .bytes(let bytes) = request.body { body = String(decoding: bytes, as: UTF8.self) }
        let path = request.url.components(separatedBy: "/v2").dropFirst().joined(separator: "/v2")
        let fields = request.fields.map { ($0.name.lowercased(), $0.value) }
        return Request(method: request.method, path: path, body: body, fields: Dictionary(fields) { $1 })
    }

    /// An answer with a JSON body.
    static func json(_ status: Int, _ text: String, _ fields: [TransferRequest.Field] = []) -> TransferAnswer {
        let type = status < 400 ? "application/json" : "application/problem+json"
        return TransferAnswer(status: status, fields: [("Content-Type", type)] + fields, body: Array(text.utf8))
    }

    /// An answer with a problem of that code. `more` is added to its members.
    static func problem(_ status: Int, _ code: String, _ more: String = "") -> TransferAnswer {
        json(status, #"{"type":"https://x/v2/problems/\#(code)","status":\#(status),"title":"T","detail":"D"\#(more)}"#)
    }

    private static let login = json(
        200,
        """
        {"token":"a.b.c","signing_key":"\(String(repeating: "A", count: 43))=",\
        "user":{"id":"\(user.uuidString.lowercased())","email":"a@example.org"}}
        """
    )
}

/// Clients and values for tests.
enum Given {
    static func json(_ text: String) -> JSON { (try? JSONParser.parse(Array(text.utf8), policy: .rfc8259)) ?? .null }

    /// A new id that begins with a digit.
    static func id(_ digit: Character) throws -> UUID {
        let text = "\(digit)\(UUID().uuidString.dropFirst())"
        guard let id = UUID(uuidString: text) else { throw Program.Failure("\(text) is no id") }
        return id
    }

    /// A client that is logged in, with its store in `folder`.
    static func client(_ table: AnswerTable, folder: String = Sandbox.makeFolder()) async throws -> NeuroViews {
        let client = try client(table, at: folder)
        _ = try await client.logIn(with: .password(email: "a@example.org", password: "secret"))
        return client
    }

    /// A client with its store in `folder`. It is logged in if an earlier client of that folder was.
    static func client(_ table: AnswerTable, at folder: String) throws -> NeuroViews {
        var options = Options()
        options.folder = URL(fileURLWithPath: folder + "/data")
        options.secrets = FileSecretStore(folder: folder + "/secrets")
        var setup = ClientSetup()
        setup.transport = table
        setup.systemID = "this one"
        guard let server = URL(string: "https://cloud.example.org") else { throw Program.Failure("no URL") }
        return try NeuroViews(server: server, options, setup)
    }
}

extension NeuroViews {
    /// Runs `body` on the actor.
    func inside<Result: Sendable>(_ body: @Sendable (isolated NeuroViews) throws -> Result) rethrows -> Result {
        try body(self)
    }
}
