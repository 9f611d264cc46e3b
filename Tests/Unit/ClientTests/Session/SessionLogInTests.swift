import Foundation
import NeuroViewsRules
import TestSupport
import Testing

@testable import NeuroViewsClient

@Suite("Log ins of a device", .blocking, .timeLimit(.minutes(Patience.minutes(1))))
struct SessionLogInTests {
    private let given = SessionFixture()
    private var server: FakeServer { given.server }
    private static let assertion: JSONValue = ["id": "x", "rawId": "x"]

    @Test("A log in sends what its way needs, with the device's name and id, and no token")
    func ways() async throws {
        let process = try given.process(deviceName: "Ada's phone")
        let ways: [(Credentials, String, [String])] = [
            (
                .password(email: "ada@example.org", password: SessionFixture.password), "/auth/login",
                ["email", "password"]
            ),
            (.passkey(assertion: Self.assertion), "/auth/passkey", ["assertion"]),
            (.idToken(provider: "apple", token: "t", nonce: "n"), "/auth/oidc", ["provider", "id_token", "nonce"]),
            (
                .idToken(provider: "apple", token: "t", nonce: "n", invitation: "i"), "/auth/oidc",
                ["provider", "id_token", "nonce", "invitation"]
            ),
        ]
        var devices: Set<String> = []
        for (credentials, path, members) in ways {
            guard
                case .done(let account) = try await process.run({ session throws(ClientError) in
                    try await session.logIn(with: credentials)
                })
            else {
                Issue.record("\(path) wants a second factor")
                continue
            }
            #expect(account.id == server.ada)
            let sent = try #require(server.requests.last)
            #expect(sent.path == path && sent.token == "" && sent.fields["x-signature"] == nil)
            #expect(sent.json?.object?.members.map(\.name) == members + ["device_id", "device_name"])
            #expect(sent.json?["device_name"]?.string == "Ada's phone")
            devices.insert(sent.json?["device_id"]?.string ?? "")
        }
        #expect(devices.count == 1 && devices.first.flatMap { UUID(uuidString: $0) } != nil)
    }

    @Test("The device's id is stored before the first log in, so that a repetition has it")
    func deviceID() async throws {
        server.meet("/auth/login", .lost)
        let failure = try await given.process().failure { session throws(ClientError) in
            try await session.logIn(with: .password(email: "ada@example.org", password: SessionFixture.password))
        }
        #expect(failure?.isResultUnknown == true)
        try await given.process().logIn()
        let devices = server.requests.compactMap { $0.json?["device_id"]?.string }
        #expect(devices.count == 2 && Set(devices).count == 1)
    }

    @Test("A second factor finishes a log in; a wrong one can be repeated", arguments: [false, true])
    func secondFactor(isRecoveryCode: Bool) async throws {
        server.change { $0.hasApp = true }
        let process = try given.process()
        guard case .secondFactor(let challenge) = try await process.logIn() else {
            Issue.record("no second factor")
            return
        }
        #expect(challenge.methods == ["code", "recovery_code"])
        #expect(try await process.state == .signedOut)
        @Sendable func factor(_ text: String) -> Factor { isRecoveryCode ? .recoveryCode(text) : .code(text) }
        let wrong = await process.failure { session throws(ClientError) in
            try await session.finishLogIn(challenge, with: factor("000000"))
        }
        guard case .refused(let problem) = wrong else {
            Issue.record("\(String(describing: wrong))")
            return
        }
        #expect(problem.code == "code-invalid")
        let account = try await process.run { session throws(ClientError) in
            try await session.finishLogIn(challenge, with: factor("123456"))
        }
        #expect(try await process.state == .signedIn(account))
        #expect(try await process.send().status == 200)
    }

    @Test("A refused log in of the user changes nothing, and names the reason")
    func refused() async throws {
        let process = try given.process()
        let wrong = await process.failure { session throws(ClientError) in
            try await session.logIn(with: .password(email: "ada@example.org", password: "wrong"))
        }
        guard case .refused(let problem) = wrong else {
            Issue.record("\(String(describing: wrong))")
            return
        }
        #expect(problem.code == "credentials-invalid")
        #expect(try await process.state == .signedOut)
    }

    @Test(
        "An answer that begins no session is none of the server's",
        arguments: [
            #"{"token":"1.1","signing_key":"\#(key)","user":{"id":"../x"}}"#,
            #"{"token":"1.1","signing_key":"\#(key)"}"#,
            #"{"token":"1.1","signing_key":"AAAA","user":{"id":"\#(UUID())"}}"#,
            #"{"token":"","signing_key":"\#(key)","user":{"id":"\#(UUID())"}}"#, "{}", "<html>",
        ]
    )
    func strange(text: String) async throws {
        let process = try given.process()
        server.meet("/auth/login", .answer(.success(200, text)))
        let failure = await process.failure { session throws(ClientError) in
            try await session.logIn(with: .password(email: "ada@example.org", password: SessionFixture.password))
        }
        guard case .unexpectedAnswer = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
        #expect(try await process.state == .signedOut)
    }

    private static let key = String(repeating: "A", count: 43) + "="

    @Test("After a refusal of the app's credentials only the user logs in: they are not tried again")
    func refusedCredentials() async throws {
        let asked = Counter()
        let process = try await given.loggedIn {
            asked.add()
            return .password(email: "ada@example.org", password: "an old one")
        }
        given.endSessions()
        for _ in 0..<3 {
            guard case .needsLogIn(let problem?) = await process.sendFailure() else {
                Issue.record("the user must log in")
                return
            }
            #expect(problem.code == "credentials-invalid")
        }
        #expect(asked.value == 1)
        try await process.logIn()
        given.endSessions()
        _ = await process.sendFailure()
        #expect(asked.value == 2)
    }

    @Test("The app's credentials of an account with a second factor need the user")
    func factorOfCredentials() async throws {
        let process = try await given.loggedIn {
            .password(email: "ada@example.org", password: SessionFixture.password)
        }
        server.change { $0.hasApp = true }
        given.endSessions()
        guard case .needsLogIn(let problem?) = await process.sendFailure() else {
            Issue.record("the user must log in")
            return
        }
        #expect(problem.code == "second-factor-required")
    }

    @Test("A log in that the server can't do now is tried again by the next request", arguments: [422, 503])
    func later(status: Int) async throws {
        let process = try await given.loggedIn {
            .password(email: "ada@example.org", password: SessionFixture.password)
        }
        given.endSessions()
        server.meet("/auth/login", .answer(.refusal(status, "x")))
        let failure = await process.sendFailure()
        #expect(failure?.isResultUnknown == true)
        #expect(try await process.send().status == 200)
    }

    @Test("Credentials of another account begin its session; the request is not repeated there")
    func otherAccount() async throws {
        let process = try await given.loggedIn { .password(email: "bob@example.org", password: "a red balloon") }
        await process.follow()
        given.endSessions()
        #expect(await process.sendFailure() == .otherAccount)
        #expect(server.names == ["POST /auth/login", "GET /devices", "POST /auth/login"])
        let bob = Account(id: server.bob, email: "bob@example.org")
        #expect(await process.accounts == [bob])
        #expect(try await process.state == .signedIn(bob))
    }

    @Test("A device whose secrets were copied logs in anew, with another id and the same account")
    func clone() async throws {
        let original = try given.process(systemID: "one")
        try await original.logIn()
        let clone = try given.process(systemID: "two") {
            .password(email: "ada@example.org", password: SessionFixture.password)
        }
        let account = Account(id: server.ada, email: "ada@example.org")
        #expect(try await clone.state == .needsLogIn(account, nil))
        #expect(try await clone.send().status == 200)
        let devices = server.requests.compactMap { $0.json?["device_id"]?.string }
        #expect(devices.count == 2 && Set(devices).count == 2)
        #expect(server.names == ["POST /auth/login", "POST /auth/login", "GET /devices"])
    }

    @Test("A damaged secret counts as none, and a log in replaces it")
    func damaged() async throws {
        try await given.process().logIn()
        for bytes in [Array("{".utf8), [], Array(#"{"version":2}"#.utf8)] {
            try given.secrets.write("session_cloud.example.org", bytes)
            let process = try given.process()
            #expect(try await process.state == .signedOut)
            try await process.logIn()
            #expect(try await given.process().send().status == 200)
        }
    }
}
