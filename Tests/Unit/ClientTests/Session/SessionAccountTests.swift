import Foundation
import NeuroViewsRules
import TestSupport
import Testing

@testable import NeuroViewsClient

@Suite("Acts on the account of a session", .blocking, .timeLimit(.minutes(Patience.minutes(1))))
struct SessionAccountTests {
    private let given = SessionFixture()
    private var server: FakeServer { given.server }
    private let proof = Proof.password(SessionFixture.password)

    private func code(_ failure: ClientError?) -> String? {
        switch failure {
        case .refused(let problem): problem.code
        case .needsLogIn(let problem): "needs log in: \(problem?.code ?? "")"
        default: failure.map { "\($0)" }
        }
    }

    @Test("A registration opens an account, or a mail does; nobody is logged in by it")
    func register() async throws {
        let process = try given.process()
        let opened = try await process.run { session throws(ClientError) in
            try await session.register(email: "new@example.org", password: "a sentence", invitation: "i")
        }
        guard case .opened(let account) = opened else {
            Issue.record("\(opened)")
            return
        }
        #expect(account.email == "new@example.org")
        #expect(server.requests.last?.json?.object?.members.map(\.name) == ["email", "password", "invitation"])
        server.meet("/auth/register", .answer(.success(202)), .answer(.refusal(409, "email-taken")))
        let mailed = try await process.run { session throws(ClientError) in
            try await session.register(email: "new@example.org", password: "a sentence", invitation: nil)
        }
        #expect(mailed == .mailSent)
        let taken = await process.failure { session throws(ClientError) in
            try await session.register(email: "new@example.org", password: "a sentence", invitation: nil)
        }
        #expect(code(taken) == "email-taken")
        #expect(try await process.state == .signedOut)
    }

    @Test("A change of the password goes on with the session that begins by it")
    func password() async throws {
        let process = try await given.loggedIn()
        let wrong = await process.failure { session throws(ClientError) in
            try await session.changePassword(from: "wrong", to: "a better one")
        }
        #expect(code(wrong) == "credentials-invalid")
        #expect(try await process.send().status == 200)
        try await process.run { session throws(ClientError) in
            try await session.changePassword(from: SessionFixture.password, to: "a better one")
        }
        #expect(try await process.send().status == 200)
        #expect(server.requests.last?.token == "2.1")
        #expect(server.count("POST /auth/login") == 1)
    }

    @Test(
        "If the answer to a change of the password is lost, a repetition logs in with the new one",
        arguments: [false, true]
    )
    func passwordLost(isExpired: Bool) async throws {
        let process = try await given.loggedIn()
        server.meet("/auth/password", .lost)
        let lost = await process.failure { session throws(ClientError) in
            try await session.changePassword(from: SessionFixture.password, to: "a better one")
        }
        #expect(lost?.isResultUnknown == true)
        if isExpired { given.expire(session: 0) }
        try await process.run { session throws(ClientError) in
            try await session.changePassword(from: SessionFixture.password, to: "a better one")
        }
        #expect(try await process.send().status == 200)
    }

    @Test("Requests during a change of the password wait for the new session, and nobody logs in with the old password")
    func passwordMeanwhile() async throws {
        let asked = Counter()
        let process = try await given.loggedIn {
            asked.add()
            return .password(email: "ada@example.org", password: SessionFixture.password)
        }
        let gate = Gate()
        server.meet("/auth/password", .held(gate))
        async let change: Void = process.run { session throws(ClientError) in
            try await session.changePassword(from: SessionFixture.password, to: "a better one")
        }
        try await eventually { await gate.count == 1 }
        async let status = process.send().status
        try await eventually { server.count("GET /devices") == 1 }
        let isAsked = try await happens { asked.value > 0 }
        #expect(!isAsked)
        await gate.open()
        try await change
        #expect(try await status == 200)
        #expect(asked.value == 0)
    }

    @Test("An expired token is refreshed before the password is changed or the account is deleted")
    func expired() async throws {
        let process = try await given.loggedIn()
        given.expire()
        try await process.run { session throws(ClientError) in
            try await session.changePassword(from: SessionFixture.password, to: "a better one")
        }
        given.expire()
        try await process.run { session throws(ClientError) in
            try await session.deleteAccount(.password("a better one"))
        }
        #expect(server.count("POST /auth/refresh") == 2)
    }

    @Test("A deletion with a wrong password is refused, and the session stays")
    func deletionRefused() async throws {
        let process = try await given.loggedIn()
        #expect(
            code(
                await process.failure { session throws(ClientError) in
                    try await session.deleteAccount(.password("wrong"))
                }
            ) == "credentials-invalid"
        )
        #expect(try await process.send().status == 200)
        #expect(try given.stored()?.isErasing == false)
    }

    @Test("If the answer to a deletion is lost, a repetition finds no session, also in the next process: it is done")
    func deletionLost() async throws {
        let process = try await given.loggedIn()
        server.meet("/account", .lost)
        let proof = proof
        #expect(
            await process.failure { session throws(ClientError) in try await session.deleteAccount(proof) }?
                .isResultUnknown == true
        )
        try await given.process().run { session throws(ClientError) in try await session.deleteAccount(proof) }
    }

    @Test("A deletion whose answer was lost is done, also if another request has found that the session has ended")
    func deletionLostAndEnded() async throws {
        let process = try await given.loggedIn()
        server.meet("/account", .lost)
        let proof = proof
        #expect(
            await process.failure { session throws(ClientError) in try await session.deleteAccount(proof) }?
                .isResultUnknown == true
        )
        #expect(code(await process.sendFailure()) == "needs log in: session-ended")
        for process in [process, try given.process()] {
            try await process.run { session throws(ClientError) in try await session.deleteAccount(proof) }
        }
        #expect(server.count("DELETE /account") == 1)
    }

    static let deletionErrors: [(error: TransportError, mayBeDone: Bool)] = [
        (.unknownHost("no address"), false), (.notConnected("nobody listens"), false), (.cellularForbidden, false),
        (.untrusted(.otherKey), false), (.badRequest("a line end"), false), (.cut("no answer"), true),
        (.stalled(seconds: 60), true), (.notHTTP("mail"), true), (.tooLarge(maxBytes: 9), true), (.cancelled, true),
        (.other("no memory"), true),
    ]

    @Test(
        "A deletion that was certainly not sent is forgotten: a session that ends later does not finish it",
        arguments: deletionErrors
    )
    func deletionUnsent(error: TransportError, mayBeDone: Bool) async throws {
        let process = try await given.loggedIn()
        server.meet("/account", .failed(error))
        let proof = proof
        #expect(
            await process.failure { session throws(ClientError) in try await session.deleteAccount(proof) }
                == ClientError(error)
        )
        #expect(try given.stored()?.isErasing == mayBeDone)
        given.endSessions()
        let failure = await process.failure { session throws(ClientError) in try await session.deleteAccount(proof) }
        #expect(code(failure) == (mayBeDone ? nil : "needs log in: session-ended"))
    }

    @Test("A deletion that stopped at the refresh of its token is forgotten, and so is one that was cancelled before")
    func deletionNotBegun() async throws {
        let process = try await given.loggedIn()
        given.expire()
        server.meet("/auth/refresh", .lost)
        let proof = proof
        let lost = await process.failure { session throws(ClientError) in try await session.deleteAccount(proof) }
        #expect(lost?.isResultUnknown == true)
        #expect(try given.stored()?.isErasing == false)
        let before = server.names
        let cancelled = Task {
            while !Task.isCancelled { await Task.yield() }
            return await process.failure { session throws(ClientError) in try await session.deleteAccount(proof) }
        }
        cancelled.cancel()
        #expect(await cancelled.value == .cancelled)
        #expect(server.names == before)
        #expect(try given.stored()?.isErasing == false)
    }

    @Test("A deletion whose answer was lost stays noted if its repetition is not sent")
    func deletionLostAndUnsent() async throws {
        let process = try await given.loggedIn()
        server.meet("/account", .lost, .unreached)
        let proof = proof
        for _ in 0..<2 {
            let lost = await process.failure { session throws(ClientError) in try await session.deleteAccount(proof) }
            #expect(lost?.isResultUnknown == true)
        }
        try await process.run { session throws(ClientError) in try await session.deleteAccount(proof) }
    }

    @Test("A copy of the device does not finish a deletion whose answer was lost")
    func deletionOnClone() async throws {
        let (process, clone) = (try given.process(systemID: "one"), try given.process(systemID: "two"))
        try await process.logIn()
        server.meet("/account", .lost)
        let proof = proof
        _ = await process.failure { session throws(ClientError) in try await session.deleteAccount(proof) }
        #expect(
            await clone.failure { session throws(ClientError) in try await session.deleteAccount(proof) }
                == .needsLogIn(nil)
        )
    }

    @Test("A deletion by a session that has ended is not done: the user must log in")
    func deletionEnded() async throws {
        let process = try await given.loggedIn()
        given.endSessions()
        let proof = proof
        for _ in 0..<3 {
            #expect(
                code(await process.failure { session throws(ClientError) in try await session.deleteAccount(proof) })
                    == "needs log in: session-ended"
            )
        }
        try await process.logIn()
        given.endSessions()
        #expect(
            code(await process.failure { session throws(ClientError) in try await session.deleteAccount(proof) })
                == "needs log in: session-ended"
        )
    }

    @Test(
        "A log out ends the session at the server, also with an expired token and a wrong clock",
        arguments: [false, true]
    )
    func logOut(isStale: Bool) async throws {
        let process = try await given.loggedIn()
        if isStale {
            given.expire()
            given.clock.withLock { $0 += 1000 }
        }
        await process.follow()
        try await process.logOut()
        #expect(server.state.withLock { $0.sessions[0].isEnded })
        #expect(try await process.state == .signedOut)
        #expect(await process.accounts == [nil])
        let stored = try #require(try given.stored())
        #expect(stored.login == nil && stored.deviceID != nil)
        #expect(await process.sendFailure() == .needsLogIn(nil))
    }

    @Test("A log out without the network is done on the device")
    func logOutOffline() async throws {
        let process = try await given.loggedIn()
        server.meet("/auth/logout", .unreached)
        try await process.logOut()
        #expect(try await given.process().state == .signedOut)
    }

    @Test("A log out of another process ends the use of the session; another account's log in leads over to it")
    func processes() async throws {
        let (process, other) = (try await given.loggedIn(), try given.process())
        await process.follow()
        try await other.logIn("bob@example.org", "a red balloon")
        given.endSessions()
        #expect(await process.sendFailure() == .otherAccount)
        #expect(await process.accounts == [Account(id: server.bob, email: "bob@example.org")])
        try await other.logOut()
        #expect(await process.sendFailure() == .needsLogIn(nil))
        #expect(await process.accounts.count == 2)
    }
}
