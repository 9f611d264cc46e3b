import Foundation
import NeuroViewsRules
import TestSupport
import Testing

@testable import NeuroViewsClient

@Suite("Other processes during acts on the account", .blocking, .timeLimit(.minutes(Patience.minutes(1))))
struct SessionMeanwhileTests {
    private let given = SessionFixture()
    private var server: FakeServer { given.server }
    private let proof = Proof.password(SessionFixture.password)

    /// Holds the answer to the next request to a path back.
    private func hold(_ path: String) -> Gate {
        let gate = Gate()
        server.meet(path, .held(gate))
        return gate
    }

    @Test("A log out of another process during a change of the password stays")
    func passwordAndLogOut() async throws {
        let (process, other) = (try await given.loggedIn(), try given.process())
        let gate = hold("/auth/password")
        async let failure = process.failure { session throws(ClientError) in
            try await session.changePassword(from: SessionFixture.password, to: "a better one")
        }
        try await eventually { await gate.count == 1 }
        try await other.logOut(endsSession: false)
        await gate.open()
        #expect(await failure == .needsLogIn(nil))
        let stored = try #require(try given.stored())
        #expect(stored.login == nil && stored.account == nil)
    }

    @Test("A session of another account that began during a deletion stays")
    func deletionAndOtherAccount() async throws {
        let (process, other) = (try await given.loggedIn(), try given.process())
        let (gate, proof, ada) = (hold("/account"), self.proof, server.ada)
        async let deletion: Void = process.run { session throws(ClientError) in
            try await session.deleteAccount(proof)
            try await session.forget(ada)
        }
        try await eventually { await gate.count == 1 }
        try await other.logIn("bob@example.org", "a red balloon")
        await gate.open()
        try await deletion
        #expect(try await process.state.account?.id == server.bob)
        let stored = try #require(try given.stored())
        #expect(stored.account?.id == server.bob && stored.login != nil)
    }

    @Test("A session that began during a deletion outlives the end of the one before")
    func deletionAndNewSession() async throws {
        let (process, other) = (try await given.loggedIn(), try given.process())
        given.endSessions()
        let (gate, proof) = (hold("/account"), self.proof)
        async let failure = process.failure { session throws(ClientError) in try await session.deleteAccount(proof) }
        try await eventually { await gate.count == 1 }
        try await other.logIn()
        await gate.open()
        guard case .needsLogIn(let problem?) = await failure else {
            Issue.record("a deletion without a session is not done")
            return
        }
        #expect(problem.code == "session-ended")
        let stored = try #require(try given.stored())
        #expect(stored.login?.token == "2.1" && !stored.isErasing)
    }

    @Test("A log out does not end the session of another account that has logged in meanwhile")
    func logOutAndOtherAccount() async throws {
        let (process, other) = (try await given.loggedIn(), try given.process())
        try await other.logIn("bob@example.org", "a red balloon")
        await #expect(throws: ClientError.otherAccount) { try await process.logOut() }
        #expect(try await process.state.account?.id == server.bob)
        #expect(try given.stored()?.login != nil)
        #expect(server.count("POST /auth/logout") == 0)
    }

    @Test("A log out after that of another process is done")
    func logOutTwice() async throws {
        let (process, other) = (try await given.loggedIn(), try given.process())
        try await other.logOut()
        try await process.logOut()
        #expect(try await process.state == .signedOut)
        #expect(server.count("POST /auth/logout") == 1)
    }
}
