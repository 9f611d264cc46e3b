import HTTP
import TestSupport
import Testing

@testable import API

@Suite("Signed requests that open a channel", .timeLimit(.minutes(Patience.minutes(1))))
struct ChannelPolicyTests {
    private static func route(_ path: String, opensChannel: Bool) -> RouteEntry {
        (
            .get, path,
            Endpoint(EndpointPolicy(.session, opensChannel: opensChannel)) { context in
                Response(.ok, content: .bytes(Array((context.signature.nonce?.value ?? "kept").utf8)))
            }
        )
    }

    private static let routes = [route("/v2", opensChannel: true), route("/v2/other", opensChannel: false)]
    private static let upgrade = [("Connection", "Upgrade"), ("Upgrade", "WebSocket")]

    @Test("A GET that opens a channel spends its nonce, and another GET does not")
    func nonce() async throws {
        try await PolicyServer.run(Self.routes) { server in
            let client = try server.connect()
            for (path, text) in [("/v2", "nonce"), ("/v2/other", "kept")] {
                let fields = server.session.fields("GET", path, .bodyAlone([]))
                #expect(try client.ask("GET", path, fields: fields).text == text)
            }
        }
    }

    @Test("The opening of a WebSocket may be signed for its ws or its http URL, and other requests only for http")
    func spelling() async throws {
        try await PolicyServer.run(Self.routes) { server in
            let client = try server.connect()
            for origin in ["ws://localhost", "http://localhost"] {
                let fields = server.session.fields("GET", "/v2", .bodyAlone([]), origin: origin)
                #expect(try client.ask("GET", "/v2", fields: fields + Self.upgrade).status == 200, "\(origin)")
                let usual = try client.ask("GET", "/v2", fields: fields)
                #expect(usual.status == (origin.hasPrefix("ws") ? 401 : 200), "\(origin)")
            }
            let secure = server.session.fields("GET", "/v2", .bodyAlone([]), origin: "wss://localhost")
            #expect(try client.ask("GET", "/v2", fields: secure + Self.upgrade).problem == "signature-invalid")
        }
    }
}
