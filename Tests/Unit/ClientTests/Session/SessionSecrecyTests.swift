import Foundation
import NeuroViewsRules
import TestSupport
import Testing

@testable import NeuroViewsClient

@Suite("Secrecy of a session", .blocking, .timeLimit(.minutes(Patience.minutes(1))))
struct SessionSecrecyTests {
    private static let secret = "very secret text"
    private static let assertion: JSONValue = ["id": JSONValue.string(secret)]

    /// All texts that printing, logging and dumping make of a value.
    private func texts(of value: Any) -> String {
        var dumped = ""
        dump(value, to: &dumped)
        return ["\(value)", String(describing: value), String(reflecting: value), dumped].joined(separator: "\n")
    }

    @Test("Credentials, proofs, factors and challenges are neither printed nor dumped, also within other values")
    func values() throws {
        let more = #","challenge":"\#(Self.secret)","methods":["code"]"#
        let answer = Answer(TransferAnswer.refusal(403, "second-factor-required", more: more))
        let challenge = try #require(Challenge(answer.problem))
        let values: [Any] = [
            Credentials.password(email: "ada@example.org", password: Self.secret),
            Credentials.passkey(assertion: Self.assertion),
            Credentials.idToken(provider: "apple", token: Self.secret, nonce: Self.secret, invitation: Self.secret),
            Proof.password(Self.secret), Proof.code(Self.secret), Proof.passkey(assertion: Self.assertion),
            Proof.idToken(provider: "apple", token: Self.secret, nonce: Self.secret),
            Factor.code(Self.secret), Factor.recoveryCode(Self.secret), Factor.assertion(Self.assertion),
            challenge, LogIn.secondFactor(challenge), Problem(answer.problem),
            ClientError.refused(Problem(answer.problem)),
        ]
        for value in values + [[values], ["key": values]] {
            #expect(!texts(of: value).contains(Self.secret), "\(type(of: value))")
        }
        #expect(texts(of: challenge).contains("code"))
    }

    @Test("Neither a session nor its record shows token and key")
    func session() async throws {
        let given = SessionFixture()
        let process = try await given.loggedIn()
        let record = try #require(try given.stored())
        let login = try #require(record.login)
        // The transport here is a server, which has tokens of its own.
        let session = await process.look { session in
            Mirror(reflecting: session).children.filter { $0.label != "transport" }.map { texts(of: $0.value) }
        }
        for text in session + [texts(of: record), texts(of: login), texts(of: [record])] {
            #expect(!text.contains(login.token) && !text.contains(Data(login.key).base64EncodedString()))
            #expect(!text.contains("[1, 1, 1") && !text.contains("32 elements"))
        }
    }

    @Test("Errors of a log in have neither password nor token")
    func errors() async throws {
        let given = SessionFixture()
        let answers: [TransferAnswer] = [
            .refusal(401, "credentials-invalid"), .refusal(503, "unavailable"),
            .success(200, #"{"token":"\#(Self.secret)"}"#),
            .success(200, #"{"token":"\#(Self.secret)","signing_key":"x","user":{}}"#),
        ]
        for answer in answers {
            given.server.meet("/auth/login", .answer(answer))
            let failure = try await given.process().failure { session throws(ClientError) in
                try await session.logIn(with: .password(email: "ada@example.org", password: Self.secret))
            }
            #expect(!texts(of: try #require(failure)).contains(Self.secret))
        }
    }

    @Test("A record is stored and read without loss")
    func record() throws {
        var record = SessionRecord(deviceID: "d", systemID: "s", account: Account(id: UUID(), email: nil))
        record.login = SessionRecord.Login(token: "t", key: [UInt8](0..<32), receivedAt: 7, attempt: UUID())
        (record.isLogInRefused, record.isErasing, record.clockS) = (true, true, -9)
        #expect(SessionRecord(record.bytes) == record)
        let answer = Answer(TransferAnswer.refusal(401, "session-ended", more: #","instance":"x""#))
        record.end(Problem(answer.problem))
        let read = try #require(SessionRecord(record.bytes))
        #expect(
            read.problem?.code == "session-ended" && read.problem?.status == 401 && read.problem?["instance"] == nil
        )
        #expect(read.state == .needsLogIn(try #require(record.account), read.problem))
    }
}
