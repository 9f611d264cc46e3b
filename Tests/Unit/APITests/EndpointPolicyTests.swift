import HTTP
import NeuroViewsCrypto
import TestSupport
import Testing

@testable import API

@Suite("Policies of endpoints", .timeLimit(.minutes(Patience.minutes(1))))
struct EndpointPolicyTests {
    private static func route(_ path: String, _ policy: EndpointPolicy) -> RouteEntry {
        (.put, path, Endpoint(policy) { context in text("\(context.body.count) \(context.stream != nil)") })
    }

    private static func text(_ text: String) -> Response { Response(.ok, content: .bytes(Array(text.utf8))) }

    @Test("A body is dropped, collected or streamed according to its endpoint's policy")
    func bodies() async throws {
        let routes = [
            Self.route("/none", .session),
            Self.route("/collected", EndpointPolicy(.session, body: .collected(.usual), media: nil)),
            Self.route("/streamed", EndpointPolicy(.session, body: .streamed(.usual))),
        ]
        try await PolicyServer.run(routes, signatures: .optional) { server in
            let client = try server.connect()
            for (path, text) in [("/none", "0 false"), ("/collected", "3 false"), ("/streamed", "0 true")] {
                #expect(try client.ask("PUT", path, fields: [server.session.bearer], body: [1, 2, 3]).text == text)
            }
        }
    }

    @Test("A body is limited by the policy, and to 16 KiB without a session")
    func limits() async throws {
        let routes = [
            Self.route("/none", .session),
            Self.route("/usual", EndpointPolicy(.session, body: .collected(.usual), media: nil)),
            Self.route("/batch", EndpointPolicy(.session, body: .collected(.batch), media: nil)),
            Self.route("/bytes", EndpointPolicy(.session, body: .collected(.bytes(10)), media: nil)),
            Self.route("/anybody", EndpointPolicy(.anybody, body: .collected(.usual), media: nil)),
            Self.route("/streamed", EndpointPolicy(.session, body: .streamed(.bytes(300_000)))),
        ]
        try await PolicyServer.run(routes, signatures: .optional) { server in
            for (path, maxBytes) in [
                ("/none", 100_000), ("/usual", 100_000), ("/batch", 200_000), ("/bytes", 10), ("/anybody", 16 << 10),
                ("/streamed", 300_000),
            ] {
                for (size, status) in [(maxBytes, 200), (maxBytes + 1, 413)] {
                    let body = [UInt8](repeating: 1, count: size)
                    let answer = try server.connect().ask("PUT", path, fields: [server.session.bearer], body: body)
                    #expect(answer.status == status, "\(path) with \(size)")
                }
            }
        }
    }

    @Test("A dropped body is still covered by its signature")
    func droppedBody() async throws {
        try await PolicyServer.run([Self.route("/none", .session)]) { server in
            let client = try server.connect()
            let fields = server.session.fields("PUT", "/none", .bodyAlone([1, 2]))
            #expect(try client.ask("PUT", "/none", fields: fields, body: [1, 2]).status == 200)
            #expect(try client.ask("PUT", "/none", fields: fields, body: [1, 3]).problem == "signature-invalid")
        }
    }

    @Test("A policy with a streamed body and an Idempotency-Key stops the start")
    func streamedKey() async {
        await #expect(processExitsWith: .failure) {
            _ = EndpointPolicy(.session, body: .streamed(.usual), idempotency: .accepted)
        }
    }

    @Test("Answers are not cached, unless the policy leaves it to the answer")
    func caching() async throws {
        let handler: Endpoint.Handler = { _ in Response(.ok, fields: [("Cache-Control", "max-age=1")]) }
        let routes: [RouteEntry] = [
            (.get, "/public", Endpoint(EndpointPolicy(.anybody, caching: .publicDocument), handler)),
            (.get, "/other", Endpoint(.anybody) { _ in Response(.ok) }),
        ]
        try await PolicyServer.run(routes) { server in
            let client = try server.connect()
            #expect(try client.ask("GET", "/public")["Cache-Control"] == "max-age=1")
            #expect(try client.ask("GET", "/other")["Cache-Control"] == "no-store")
        }
    }

    @Test("An Idempotency-Key is ignored by endpoints that do not declare it, and their handlers can't read it")
    func idempotency() async throws {
        let handler: Endpoint.Handler = { context in Self.text(try context.idempotencyKey() == nil ? "none" : "key") }
        let routes: [RouteEntry] = [
            (.post, "/accepted", Endpoint(EndpointPolicy(.anybody, idempotency: .accepted), handler)),
            (.post, "/never", Endpoint(EndpointPolicy(.anybody, idempotency: .never), handler)),
            (.post, "/ignored", Endpoint(.anybody) { _ in Self.text("ignored") }),
        ]
        try await PolicyServer.run(routes) { server in
            let client = try server.connect()
            let key = [("Idempotency-Key", "k")]
            #expect(try client.ask("POST", "/accepted", fields: key).text == "key")
            #expect(try client.ask("POST", "/accepted").text == "none")
            #expect(try client.ask("POST", "/ignored", fields: key).text == "ignored")
            #expect(try client.ask("POST", "/never", fields: key).problem == "internal-error")
            let failure = try server.events(4)[3].failure
            #expect(failure?.contains("Idempotency-Key") == true)
        }
    }
}
