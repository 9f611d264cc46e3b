import Foundation
import TestSupport
import Testing

@testable import NeuroViewsClient

@Suite("Sockets of a session", .blocking, .timeLimit(.minutes(Patience.minutes(1))))
struct ChannelSessionTests {
    private let given = SessionFixture()
    private let channels = FakeChannels()

    private func open(_ process: SessionProcess) async throws(ClientError) -> OpenedChannel {
        let (channels, ada) = (channels, given.server.ada)
        return try await process.run { session throws(ClientError) in
            try await session.channel(by: channels, as: ada)
        }
    }

    @Test("The upgrade goes to the address of the interface, signed, with the subprotocol of this client")
    func request() async throws {
        _ = try await open(try await given.loggedIn())
        let request = try #require(channels.requests.first)
        let fields = Dictionary(request.fields.map { ($0.name, $0.value) }) { $1 }
        #expect(request.method == "GET" && request.url == FakeServer.base)
        #expect(fields["Authorization"] == "Bearer 1.1" && fields["X-Signature-Version"] == "3")
        #expect(fields["Sec-WebSocket-Protocol"] == "neuroviews.v2" && fields["X-Nonce"] != nil)
    }

    @Test("A socket is renewed when its token is due, after a minute at the soonest")
    func renewal() async throws {
        let process = try await given.loggedIn()
        #expect(try await open(process).renewAfter == .seconds(2880))
        given.pass(seconds: 2000)
        #expect(try await open(process).renewAfter == .seconds(880))
        given.pass(seconds: 870)
        #expect(try await open(process).renewAfter == .seconds(60))
        given.pass(seconds: 20)
        #expect(try await open(process).renewAfter == .seconds(2880))
        #expect(given.server.count("POST /auth/refresh") == 1)
    }

    @Test("An expired token is refreshed, and the next upgrade has the new one and a nonce of its own")
    func expired() async throws {
        let process = try await given.loggedIn()
        channels.answer(.refuses(.refusal(401, "token-expired")))
        _ = try await open(process)
        let sent = channels.requests.map { request in Dictionary(request.fields.map { ($0.name, $0.value) }) { $1 } }
        #expect(sent.map { $0["Authorization"] } == ["Bearer 1.1", "Bearer 1.2"])
        #expect(sent.count == 2 && sent[0]["X-Nonce"] != sent[1]["X-Nonce"])
    }

    @Test("An ended session, a refusal and an answer of somebody else are told apart")
    func failures() async throws {
        let process = try await given.loggedIn()
        let stranger = TransferAnswer(status: 200, fields: [], body: [])
        channels.answer(
            .refuses(.refusal(403, "forbidden")),
            .refuses(stranger),
            .fails(.cut("x")),
            .refuses(.refusal(401, "session-ended"))
        )
        var errors: [ClientError] = []
        for _ in 0..<4 {
            do throws(ClientError) { _ = try await open(process) } catch { errors.append(error) }
        }
        guard errors.count == 4, case .refused = errors[0], case .unexpectedAnswer = errors[1],
            case .offline = errors[2], case .needsLogIn = errors[3]
        else { throw Program.Failure("\(errors)") }
    }
}
