import Foundation
import NeuroViewsRules
import TestSupport
import Testing

@testable import NeuroViewsClient

@Suite("Refreshes of a token", .blocking, .timeLimit(.minutes(Patience.minutes(1))))
struct SessionRefreshTests {
    private let given = SessionFixture()
    private var server: FakeServer { given.server }
    private let refresh = "POST /auth/refresh"

    @Test("50 requests with an expired token cause one refresh")
    func callers() async throws {
        let process = try await given.loggedIn()
        given.expire()
        let gate = Gate()
        server.meet("/auth/refresh", .held(gate))
        try await withThrowingTaskGroup(of: Int64.self) { group in
            for _ in 0..<50 { group.addTask { try await process.send().status } }
            try await eventually { server.count("GET /devices") == 50 }
            let isRepeated = try await happens { server.count(refresh) > 1 }
            #expect(!isRepeated)
            await gate.open()
            for try await status in group { #expect(status == 200) }
        }
        #expect(server.count(refresh) == 1)
        #expect(server.count("GET /devices") == 100)
    }

    @Test("50 requests of an ended session cause one log in")
    func callersLogIn() async throws {
        let process = try await given.loggedIn {
            .password(email: "ada@example.org", password: SessionFixture.password)
        }
        given.endSessions()
        let gate = Gate()
        server.meet("/auth/login", .held(gate))
        try await withThrowingTaskGroup(of: Int64.self) { group in
            for _ in 0..<50 { group.addTask { try await process.send().status } }
            try await eventually { await gate.count == 1 }
            await gate.open()
            for try await status in group { #expect(status == 200) }
        }
        #expect(server.count("POST /auth/login") == 2)
    }

    @Test("Two processes with an expired token take turns, and the second one uses the first one's token")
    func processes() async throws {
        let (process, other) = (try await given.loggedIn(), try given.process())
        given.expire()
        let gate = Gate()
        server.meet("/auth/refresh", .held(gate))
        async let first = process.send().status
        try await eventually { await gate.count == 1 }
        async let second = other.send().status
        try await eventually { server.count("GET /devices") == 2 }
        let isRepeated = try await happens { server.count(refresh) > 1 }
        #expect(!isRepeated)
        await gate.open()
        #expect(try await [first, second] == [200, 200])
        #expect(server.count(refresh) == 1)
    }

    @Test("A request that is cancelled while another one refreshes the token waits no longer")
    func cancelled() async throws {
        let process = try await given.loggedIn()
        given.expire()
        let gate = Gate()
        server.meet("/auth/refresh", .held(gate))
        async let first = process.send().status
        try await eventually { await gate.count == 1 }
        let second = Task { await process.sendFailure() }
        try await eventually { server.count("GET /devices") == 2 }
        let isRepeated = try await happens { server.count(refresh) > 1 }
        #expect(!isRepeated)
        second.cancel()
        #expect(await second.value == .cancelled)
        #expect(await gate.count == 1)
        await gate.open()
        #expect(try await first == 200)
        #expect(try await process.send().status == 200)
    }

    @Test("A token is refreshed before it expires, at 80 % of its hour")
    func early() async throws {
        let process = try await given.loggedIn()
        given.pass(seconds: 2879)
        _ = try await process.send()
        #expect(server.count(refresh) == 0)
        given.pass(seconds: 1)
        _ = try await process.send()
        #expect(server.names == ["POST /auth/login", "GET /devices", refresh, "GET /devices"])
        given.pass(seconds: 2879)
        _ = try await process.send()
        #expect(server.count(refresh) == 1)
    }

    @Test("An early refresh that fails lets requests pass, and is tried again after a minute")
    func earlyFailure() async throws {
        let process = try await given.loggedIn()
        given.pass(seconds: 2880)
        server.meet("/auth/refresh", .unreached)
        for _ in 0..<3 { #expect(try await process.send().status == 200) }
        #expect(server.count(refresh) == 1)
        given.pass(seconds: 60)
        _ = try await process.send()
        #expect(server.count(refresh) == 2)
        #expect(server.requests.last?.token == "1.2")
    }

    @Test("An attempt is stored before it is sent, and the next process repeats it until the new token is stored")
    func attempt() async throws {
        let process = try await given.loggedIn()
        given.expire()
        for fault in [FakeServer.Fault.unreached, .lost, .lost, .answer(.refusal(503, "unavailable"))] {
            server.meet("/auth/refresh", fault)
            let failure = try #require(await process.sendFailure())
            #expect(failure.isResultUnknown)
            let stored = try #require(try given.stored()?.login?.attempt)
            #expect(server.requests.last?.json?["attempt"]?.string == stored.uuidString.lowercased())
        }
        #expect(try await given.process().send().status == 200)
        let attempts = server.requests.filter { $0.name == refresh }.map { $0.json?["attempt"]?.string }
        #expect(attempts.count == 5 && Set(attempts).count == 1)
        given.expire()
        #expect(try await given.process().send().status == 200)
        #expect(server.requests.last { $0.name == refresh }?.json?["attempt"]?.string != attempts[0])
    }

    @Test("An attempt that can't be stored is not sent")
    func unstored() async throws {
        let process = try await given.loggedIn()
        given.expire()
        given.secrets.fail(writing: .unwritable("full"))
        #expect(await process.sendFailure() == .secrets(.unwritable("full")))
        #expect(server.count(refresh) == 0)
        given.secrets.fail()
        #expect(try await process.send().status == 200)
    }

    @Test("A token that arrives after a log out is not stored")
    func lateAfterLogOut() async throws {
        let process = try await given.loggedIn()
        given.expire()
        let gate = Gate()
        server.meet("/auth/refresh", .held(gate))
        async let failure = process.sendFailure()
        try await eventually { await gate.count == 1 }
        try await process.logOut(endsSession: false)
        await gate.open()
        #expect(await failure == .needsLogIn(nil))
        let stored = try #require(try given.stored())
        #expect(stored.login == nil && stored.account == nil)
    }

    @Test("A token that arrives after another log in is not stored, and the request goes on with the new session")
    func lateAfterLogIn() async throws {
        let process = try await given.loggedIn()
        given.expire()
        let gate = Gate()
        server.meet("/auth/refresh", .held(gate))
        async let status = process.send().status
        try await eventually { await gate.count == 1 }
        try await process.logIn()
        await gate.open()
        #expect(try await status == 200)
        #expect(server.requests.last?.token == "2.1")
        #expect(try given.stored()?.login?.token == "2.1")
    }

    @Test("A refresh with a wrong clock or a used nonce is repeated, and no reason to log in")
    func mended() async throws {
        let process = try await given.loggedIn()
        given.expire()
        let skew = TransferAnswer.refusal(401, "clock-skew", more: #","server_time":1800000000"#)
        server.meet("/auth/refresh", .answer(.refusal(401, "nonce-used")), .answer(skew))
        #expect(try await process.send().status == 200)
        #expect(server.count(refresh) == 3)
        given.expire()
        server.meet("/auth/refresh", .answer(skew), .answer(skew))
        let failure = try #require(await process.sendFailure())
        #expect(failure.isResultUnknown)
        guard case .signedIn = try await process.state else {
            Issue.record("the session is gone")
            return
        }
    }

    @Test("A refused refresh ends the session; another refusal leaves it")
    func refused() async throws {
        let process = try await given.loggedIn()
        given.expire()
        server.meet(
            "/auth/refresh",
            .answer(.refusal(422, "invalid-document")),
            .answer(.refusal(401, "session-ended"))
        )
        guard case .tryLater(let problem?, nil) = await process.sendFailure() else {
            Issue.record("a refusal that is no 401 ends nothing")
            return
        }
        #expect(problem.code == "invalid-document")
        guard case .needsLogIn(let problem?) = await process.sendFailure() else {
            Issue.record("a refused token ends the session")
            return
        }
        #expect(problem.code == "session-ended")
    }

    @Test("While the secrets are locked nobody is logged out, and nobody knows who is logged in")
    func locked() async throws {
        let process = try await given.loggedIn()
        given.secrets.fail(reading: .locked)
        #expect(try await process.send().status == 200)
        given.expire()
        #expect(await process.sendFailure() == .secrets(.locked))
        let next = try given.process()
        await #expect(throws: ClientError.secrets(.locked)) { try await next.state }
        #expect(await next.sendFailure() == .secrets(.locked))
        given.secrets.fail()
        #expect(try await process.send().status == 200)
        #expect(try await next.send().status == 200)
        #expect(server.count("POST /auth/login") == 1)
    }
}
