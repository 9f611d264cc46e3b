import Foundation
import NeuroViewsRules
import TestSupport
import Testing

@testable import NeuroViewsClient

@Suite("Answers to any request of a session", .blocking, .timeLimit(.minutes(Patience.minutes(1))))
struct SessionAnswerTests {
    private let given = SessionFixture()
    private var server: FakeServer { given.server }
    private let credentials: @Sendable () async -> Credentials? = {
        .password(email: "ada@example.org", password: SessionFixture.password)
    }

    @Test("An expired token is refreshed by an attempt, and the request is repeated with the new one")
    func expired() async throws {
        let process = try await given.loggedIn()
        given.expire()
        #expect(try await process.send().status == 200)
        #expect(server.names == ["POST /auth/login", "GET /devices", "POST /auth/refresh", "GET /devices"])
        #expect(server.requests[2].json?["attempt"]?.string.flatMap { UUID(uuidString: $0) } != nil)
        #expect(server.requests[3].token == "1.2")
        let login = try #require(try given.stored()?.login)
        #expect(login.token == "1.2" && login.attempt == nil)
    }

    @Test("After token-outdated, a newer token of another process is used without a refresh")
    func outdated() async throws {
        let (process, other) = (try await given.loggedIn(), try given.process())
        given.expire()
        #expect(try await other.send().status == 200)
        server.change { $0.sessions[0].outdates = true }
        #expect(try await process.send().status == 200)
        #expect(server.count("POST /auth/refresh") == 1)
        #expect(server.requests.last?.token == "1.2")
    }

    @Test("After token-outdated without a newer token, the attempt of the lost refresh is repeated")
    func outdatedAlone() async throws {
        let process = try await given.loggedIn()
        given.expire()
        server.meet("/auth/refresh", .lost)
        let failure = await process.sendFailure()
        #expect(failure == .offline(.cut("the connection ended")))
        server.change { ($0.sessions[0].outdates, $0.sessions[0].expired) = (true, 0) }
        #expect(try await process.send().status == 200)
        let attempts = server.requests.filter { $0.path == "/auth/refresh" }.map { $0.json?["attempt"]?.string }
        #expect(attempts.count == 2 && attempts[0] == attempts[1])
    }

    @Test("A wrong clock moves the time of signatures, also in the next process", arguments: [1000, -1000] as [Int64])
    func clockSkew(ahead: Int64) async throws {
        let process = try await given.loggedIn()
        given.clock.withLock { $0 += ahead }
        #expect(try await process.send().status == 200)
        #expect(server.names == ["POST /auth/login", "GET /devices", "GET /devices"])
        #expect(server.requests.last?.fields["x-timestamp"] == "1800000000")
        #expect(try await given.process().send().status == 200)
        #expect(server.count("GET /devices") == 3)
    }

    @Test("A used nonce is followed by the same request with another nonce")
    func nonce() async throws {
        let process = try await given.loggedIn()
        server.meet("/devices", .answer(.refusal(401, "nonce-used")))
        #expect(try await process.send().status == 200)
        #expect(server.names == ["POST /auth/login", "GET /devices", "GET /devices"])
        #expect(server.requests[1].fields["x-nonce"] != server.requests[2].fields["x-nonce"])
    }

    @Test(
        "A wrong password, code, passkey or ID token is refused, and the session stays",
        arguments: ["credentials-invalid", "code-invalid", "passkey-invalid", "id-token-invalid"]
    )
    func wrongProof(code: String) async throws {
        let process = try await given.loggedIn(credentials: credentials)
        server.meet("/auth/confirm", .answer(.refusal(401, code)))
        let failure = await process.failure { session throws(ClientError) in
            try await session.confirm(with: .password("wrong"))
        }
        guard case .refused(let problem) = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
        #expect(problem.code == code)
        #expect(server.names == ["POST /auth/login", "POST /auth/confirm"])
        #expect(try await process.send().status == 200)
    }

    @Test("After any other 401 the app's credentials log the same device in, and the request is repeated")
    func logsIn() async throws {
        let process = try await given.loggedIn(credentials: credentials)
        given.endSessions()
        #expect(try await process.send().status == 200)
        #expect(server.names == ["POST /auth/login", "GET /devices", "POST /auth/login", "GET /devices"])
        let devices = server.requests.compactMap { $0.json?["device_id"]?.string }
        #expect(devices.count == 2 && devices[0] == devices[1])
    }

    @Test("Without credentials an ended session needs its user, and nothing more is sent")
    func ended() async throws {
        let process = try await given.loggedIn()
        given.endSessions()
        for _ in 0..<2 {
            let failure = await process.sendFailure()
            guard case .needsLogIn(let problem) = failure else {
                Issue.record("\(String(describing: failure))")
                return
            }
            #expect(problem?.code == "session-ended")
        }
        #expect(server.names == ["POST /auth/login", "GET /devices"])
        let account = Account(id: server.ada, email: "ada@example.org")
        for state in [try await process.state, try await given.process().state] {
            guard case .needsLogIn(account, let problem) = state else {
                Issue.record("\(state)")
                continue
            }
            #expect(problem?.code == "session-ended" && problem?.detail == "Do it.")
        }
    }

    @Test(
        "The same 401 again for one request is told, with an unknown result, and is not repeated any more",
        arguments: ["token-expired", "token-outdated", "clock-skew", "nonce-used", "session-ended"]
    )
    func again(code: String) async throws {
        let process = try await given.loggedIn(credentials: credentials)
        let answer = TransferAnswer.refusal(401, code, more: #","server_time":1800000000"#)
        server.meet("/devices", .answer(answer), .answer(answer), .answer(answer))
        let failure = await process.sendFailure()
        guard case .tryLater(let problem, nil) = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
        #expect(problem?.code == code && problem?.status == 401)
        #expect(failure?.isResultUnknown == true)
        #expect(server.count("GET /devices") == 2)
    }

    @Test("Different 401s of one request are mended one after the other")
    func several() async throws {
        let process = try await given.loggedIn(credentials: credentials)
        given.expire()
        let codes = ["nonce-used", "token-outdated", "clock-skew", "session-ended"]
        for code in codes {
            server.meet("/devices", .answer(.refusal(401, code, more: #","server_time":1800000000"#)))
        }
        #expect(try await process.send().status == 200)
        #expect(server.count("GET /devices") == 5)
    }
}
