import Foundation
import NeuroViewsRules
import TestSupport
import Testing

@testable import NeuroViewsClient

@Suite("Results of a session's requests", .blocking, .timeLimit(.minutes(Patience.minutes(1))))
struct SessionResultTests {
    private let given = SessionFixture()
    private var server: FakeServer { given.server }
    private static let page = Array("<html>Sign in</html>".utf8)

    private static func other(_ status: Int, _ fields: [TransferRequest.Field] = []) -> FakeServer.Fault {
        .answer(TransferAnswer(status: status, fields: fields, body: page))
    }

    private static let busy: FakeServer.Fault = .answer(.refusal(503, "unavailable", [("Retry-After", "7")]))

    @Test(
        "Without a verdict of the server the result is unknown",
        arguments: [
            (.unreached, "offline", nil), (.lost, "offline", nil), (busy, "tryLater", 7),
            (.answer(.refusal(429, "rate-limited", [("Retry-After", "soon")])), "tryLater", nil),
            (.answer(.refusal(408, "request-timeout")), "tryLater", nil), (other(200), "unexpectedAnswer", nil),
            (other(302, [("Location", "https://portal.example")]), "unexpectedAnswer", nil),
            (other(307, [("Location", "https://portal.example")]), "unexpectedAnswer", nil),
            (other(404), "unexpectedAnswer", nil), (other(401), "unexpectedAnswer", nil),
            (other(503, [("Retry-After", "7")]), "unexpectedAnswer", nil),
        ] as [(FakeServer.Fault, String, Int64?)]
    )
    func unknown(fault: FakeServer.Fault, name: String, seconds: Int64?) async throws {
        let process = try await given.loggedIn()
        server.meet("/devices", fault)
        let failure = try #require(await process.sendFailure())
        #expect(Mirror(reflecting: failure).children.first?.label == name)
        #expect(failure.isResultUnknown && failure.retryAfterSeconds == seconds)
        #expect(server.count("GET /devices") == 1)
        guard case .signedIn = try await process.state else {
            Issue.record("the session is gone")
            return
        }
    }

    @Test("A refusal is an answer of send, and an error of ask")
    func refusals() async throws {
        let process = try await given.loggedIn()
        let refusals: [TransferAnswer] = [
            .refusal(404, "not-found"), .refusal(403, "quota-exceeded"),
            TransferAnswer(status: 413, fields: [], body: []),
        ]
        for refusal in refusals {
            server.meet("/devices", .answer(refusal), .answer(refusal))
            let answer = try await process.send()
            #expect(answer.status == Int64(refusal.status))
            let failure = await process.failure { session throws(ClientError) in
                try await session.ask("GET", "/devices")
            }
            #expect(failure == .refused(Problem(answer.problem)))
        }
        server.meet("/devices", .answer(.refusal(403, "confirmation-required")))
        #expect(
            await process.failure { session throws(ClientError) in try await session.ask("GET", "/devices") }
                == .confirmationRequired
        )
    }

    @Test("A 307 with a Location is an answer to whoever asked for it")
    func redirect() async throws {
        let process = try await given.loggedIn()
        server.meet("/recordings/x/content", Self.other(307, [("Location", "https://store.example/x")]))
        let answer = try await process.run { session throws(ClientError) in
            try await session.send("GET", "/recordings/x/content", acceptsRedirect: true)
        }
        #expect(answer.field("location") == "https://store.example/x")
    }

    @Test("A body without a type is sent and signed as JSON; other types stay")
    func types() async throws {
        let process = try await given.loggedIn()
        for type in ["application/json", "application/merge-patch+json"] {
            let fields = type == "application/json" ? [] : [HeaderField("content-type", type)]
            let answer = try await process.run { session throws(ClientError) in
                try await session.send("PATCH", "/devices/x", fields: fields, body: Array("{}".utf8))
            }
            #expect(answer.status == 200)
            #expect(server.requests.last?.fields["content-type"] == type)
        }
    }

    @Test("A field that would change the signature's lines is refused before anything is sent")
    func lines() async throws {
        let process = try await given.loggedIn()
        for value in ["", "a\nb"] {
            let failure = await process.failure { session throws(ClientError) in
                try await session.send("GET", "/devices", fields: [HeaderField("If-Match", value)])
            }
            guard case .invalidArgument = failure else {
                Issue.record("\(String(describing: failure))")
                continue
            }
        }
        #expect(server.names == ["POST /auth/login"])
    }

    @Test("A request of another account, or of nobody, is not sent")
    func accounts() async throws {
        let nobody = try given.process()
        #expect(await nobody.sendFailure() == .needsLogIn(nil))
        let process = try await given.loggedIn()
        let bob = server.bob
        #expect(await process.sendFailure(as: bob) == .otherAccount)
        #expect(server.names == ["POST /auth/login"])
    }
}
