import HTTP
import Net
import NeuroViewsCrypto
import TestSupport
import Testing

@testable import API

@Suite("Signatures of version 3", .timeLimit(.minutes(Patience.minutes(1))))
struct SignatureVersionTests {
    private typealias Fields = [(String, String)]

    private static let body = Array(#"{"a":1}"#.utf8)
    /// A value for each field that the signature covers.
    private static let covered: Fields = [
        ("Content-Type", "application/json"), ("Content-Encoding", "identity"), ("If-Match", "\"1-a\""),
        ("If-None-Match", "\"2-b\""), ("Idempotency-Key", "key"), ("Prefer", "merge"),
    ]

    /// A route that accepts a body, and answers with the version of the signature.
    private static let routes: [RouteEntry] = [
        (
            .put, "/document",
            Endpoint(EndpointPolicy(.session, body: .collected(.usual), idempotency: .accepted)) { context in
                Response(.ok, content: .bytes(Array("\(context.signature.version)".utf8)))
            }
        )
    ]

    private static func signed(_ fields: Fields, _ body: [UInt8] = body) throws -> RequestSignature.Version {
        let fields = try #require(SignedFields(fields.map { (name: $0.0, value: $0.1) }))
        return .three(fields, bodyDigest: SHA256.hash(body))
    }

    @Test("A request with any change to a covered field gets 401")
    func covered() async throws {
        try await PolicyServer.run(Self.routes) { server in
            let client = try server.connect()
            func ask(_ signed: Fields, _ sent: Fields, _ body: [UInt8] = Self.body) throws -> String {
                let signature = server.session.fields("PUT", "/document", try Self.signed(signed))
                let answer = try client.ask("PUT", "/document", fields: signature + sent, body: body)
                return answer.status == 200 ? answer.text : "\(answer.status) \(answer.problem)"
            }
            #expect(try ask(Self.covered, Self.covered) == "3")
            #expect(try ask(Self.covered, Self.covered, Array(#"{"a":2}"#.utf8)) == "401 signature-invalid")
            for (index, field) in Self.covered.enumerated() {
                var (changed, removed, emptied) = (Self.covered, Self.covered, Self.covered)
                changed[index].1 =
                    ["application/json;charset=utf-8", "identity, identity"].dropFirst(index).first ?? "\"3-c\""
                removed.remove(at: index)
                emptied[index].1 = ""
                #expect(try ask(Self.covered, changed) == "401 signature-invalid", "\(field) changed")
                #expect(try ask(Self.covered, removed) == "401 signature-invalid", "\(field) removed")
                #expect(try ask(removed, Self.covered) == "401 signature-invalid", "\(field) added")
                // The head alone decides that a body with an empty type is refused.
                let empty = index == 0 ? "415 unsupported-media-type" : "401 signature-malformed"
                #expect(try ask(Self.covered, emptied) == empty, "\(field) emptied")
                #expect(try ask(removed, emptied) == empty, "\(field) added without a value")
            }
        }
    }

    @Test("Signed values are trimmed, and repeated fields joined in their order")
    func repeated() async throws {
        try await PolicyServer.run(Self.routes) { server in
            let client = try server.connect()
            let type = Self.covered[0]
            func problem(_ signed: String, _ sent: [String]) throws -> String {
                let signature = server.session.fields("PUT", "/document", try Self.signed([type, ("Prefer", signed)]))
                let fields = [type] + sent.map { ("pREFER", $0) }
                return try client.ask("PUT", "/document", fields: signature + fields, body: Self.body).problem
            }
            #expect(try problem("merge, return=minimal", ["  merge\t", "return=minimal"]) == "")
            #expect(try problem("merge, return=minimal", ["merge, return=minimal"]) == "")
            #expect(try problem("merge, return=minimal", ["return=minimal", "merge"]) == "signature-invalid")
            #expect(try problem("merge,return=minimal", ["merge", "return=minimal"]) == "signature-invalid")
            #expect(try problem("merge", ["merge", "merge"]) == "signature-invalid")
        }
    }

    @Test("A streamed body is checked against the signed digest, and header fields before it")
    func streamed() async throws {
        let (begun, body) = (Counter(), [UInt8](repeating: 7, count: 200_000))
        let upload: RouteEntry = (
            .put, "/upload",
            Endpoint(EndpointPolicy(.session, body: .streamed(.bytes(1_000_000)))) { context in
                begun.add()
                var count = 0
                while let piece = try await context.stream?.next() { count += piece.count }
                return Response(.ok, content: .bytes(Array("\(count)".utf8)))
            }
        )
        try await PolicyServer.run([upload]) { server in
            let client = try server.connect()
            let digest = ("Content-Digest", "sha-256=:\(Base64.padded.encode(SHA256.hash(body))):")
            let condition = ("If-Match", "\"1-a\"")
            let signature = server.session.fields("PUT", "/upload", try Self.signed([condition], body))
            let fields = signature + [digest, condition]
            #expect(try client.ask("PUT", "/upload", fields: fields, body: body).text == "200000")
            #expect(
                try client.ask("PUT", "/upload", fields: fields, body: Array(body.dropLast())).problem
                    == "signature-invalid"
            )
            #expect(begun.value == 2)
            let without = try server.connect()
            let length = [("Content-Length", "200000"), ("Expect", "100-continue")]
            #expect(
                try without.ask("PUT", "/upload", fields: signature + [digest] + length).problem == "signature-invalid"
            )
            let undigested = try server.connect()
            let answer = try undigested.ask("PUT", "/upload", fields: signature + [condition] + length)
            #expect(answer.problem == "signature-malformed")
            #expect(begun.value == 2)
        }
    }

    @Test("Signatures below the operator's lowest version are refused")
    func lowest() async throws {
        let digest = SHA256.hash([])
        let fields = try #require(SignedFields([]))
        let versions: [RequestSignature.Version] = [.one, .three(fields, bodyDigest: digest)]
        for lowest in [1, 3] {
            let policy = SignaturePolicy.required(lowestVersion: lowest)
            try await PolicyServer.run(Self.routes, signatures: policy) { server in
                let client = try server.connect()
                for version in versions {
                    let signature = server.session.fields("PUT", "/document", version)
                    let answer = try client.ask("PUT", "/document", fields: signature)
                    let expected = version.number < lowest ? "signature-version-low" : ""
                    #expect(answer.problem == expected, "version \(version.number), lowest \(lowest)")
                    if version.number < lowest { #expect(answer.status == 401) }
                }
                #expect(
                    try client.ask("PUT", "/document", fields: [server.session.bearer]).problem == "signature-missing"
                )
            }
        }
    }
}
