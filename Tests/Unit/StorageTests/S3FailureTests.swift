import Foundation
import Net
import TestSupport
import Testing

@testable import Storage

@Suite("Failures of an S3 service", .blocking, .needs(.python), .timeLimit(.minutes(Patience.minutes(2))))
struct S3FailureTests {
    @Test("An S3 service that is killed during a read fails the read and the next request")
    func killed() async throws {
        let peer = try S3Peer()
        let s3 = try makeS3(peer)
        let name = try key("large")
        try await s3.put(randomBytes(24 << 20), as: name, contentType: "video/mp4")
        let reader = try await s3.read(name)
        #expect(try await reader.next()?.isEmpty == false)
        try peer.kill()
        await expectUnavailable { _ = try await reader.rest() }
        await expectUnavailable { _ = try await s3.size(of: name) }
        await expectUnavailable { try await s3.put([1], as: name, contentType: "video/mp4") }
        #expect(await s3.selfTest()?.contains("can't be reached") == true)
    }

    @Test("A proxy's 404 does not mean a missing object, except for HEAD")
    func proxy() async throws {
        let text = "404 page not found\n"
        let proxy = try ScriptedService(
            answer:
                "HTTP/1.1 404 Not Found\r\nContent-Type: text/plain\r\nContent-Length: \(text.utf8.count)\r\n\r\n\(text)"
        )
        let s3 = try makeS3(change: { $0.endpoint = try proxy.endpoint() })
        let (name, refusal) = (try key("any"), StorageError.refused(status: 404, code: "", message: ""))
        await #expect(throws: refusal) { _ = try await s3.read(name) }
        await #expect(throws: refusal) { try await s3.delete(name) }
        await #expect(throws: refusal) { _ = try await s3.parts(of: name, uploadID: "x") }
        await #expect(throws: StorageError.missing) { _ = try await s3.size(of: name) }
    }

    @Test("The self-test of a working S3 service finds nothing and leaves nothing")
    func selfTest() async throws {
        let s3 = try makeS3()
        #expect(await s3.selfTest() == nil)
        try await ObjectStorage.s3(s3).forEachPage { #expect($0.isEmpty) }
    }

    @Test("The S3 self-test names the cause of a failure", arguments: WrongSetting.all)
    func selfTestFinds(_ wrong: WrongSetting) async throws {
        let sentence = await (try makeS3(change: wrong.change)).selfTest()
        #expect(sentence?.contains(wrong.words) == true, "\(sentence ?? "nothing")")
    }

    @Test(
        "The S3 self-test reports a wrong clock and its difference",
        arguments: [(1200, "ahead"), (-1200, "behind")]
    )
    func clock(aheadS: Int, word: String) async throws {
        let sentence = try #require(await makeS3(clockAheadS: aheadS).selfTest())
        let seconds = sentence.split(separator: " ").compactMap { Int($0) }.first ?? 0
        #expect(abs(seconds - 1200) < 10 && sentence.contains(" s \(word)"), "\(sentence)")
    }

    @Test("The S3 self-test detects a public endpoint of another service")
    func otherService() async throws {
        let other = try ScriptedService(answer: "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello")
        let sentence = await (try makeS3(change: { $0.publicEndpoint = try other.endpoint() })).selfTest()
        #expect(sentence?.contains("belongs to another service") == true, "\(sentence ?? "nothing")")
    }

    @Test(
        "A page may use a store that permits its origin both methods and both fields",
        arguments: [
            ("https://a.example", "PUT, GET", "Content-Type, x-amz-checksum-sha256", []),
            ("*", "*", "*", []), ("https://a.example", "GET", "*", ["PUT"]),
            ("https://a.example", "put", "content-type", ["PUT", "GET"]),
            ("https://b.example", "*", "*", ["PUT", "GET"]),
        ] as [(String, String, String, [String])]
    )
    func pages(origin: String, methods: String, fields: String, refused: [String]) async throws {
        let answer = """
            HTTP/1.1 204 X\r\nConnection: close\r\nAccess-Control-Allow-Origin: \(origin)\r\nAccess-Control-Allow-Methods: \(methods)\r
            Access-Control-Allow-Headers: \(fields)\r\n\r\n
            """
        let service = try ScriptedService(answer: answer)
        let s3 = try makeS3(change: { $0.publicEndpoint = try service.endpoint() })
        #expect(try await s3.methodsRefused(toPagesOf: "https://a.example") == refused)
        let asked = try #require(service.requests.first)
        #expect(asked.hasPrefix("OPTIONS ") && asked.contains("access-control-request-method: PUT"), "\(asked)")
    }

    @Test("A store that answers a page's question with an error refuses it")
    func noPages() async throws {
        let service = try ScriptedService(
            answer: "HTTP/1.1 403 X\r\nConnection: close\r\nAccess-Control-Allow-Origin: *\r\nContent-Length: 0\r\n\r\n"
        )
        let s3 = try makeS3(change: { $0.publicEndpoint = try service.endpoint() })
        #expect(try await s3.methodsRefused(toPagesOf: "https://a.example") == ["PUT", "GET"])
    }

    private func expectUnavailable(_ body: () async throws -> Void) async {
        let error = await #expect(throws: StorageError.self) { try await body() }
        guard case .unavailable = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }
}

/// A wrong setting, and the words in its error.
struct WrongSetting: Sendable {
    let words: String
    let change: @Sendable (inout S3Settings) throws -> Void

    private init(_ words: String, _ change: @escaping @Sendable (inout S3Settings) throws -> Void) {
        self.words = words
        self.change = change
    }

    static let all = [
        WrongSetting("The S3 endpoint http://127.0.0.1:1 can't be reached") { $0.endpoint = try closed() },
        WrongSetting("The S3 public endpoint http://127.0.0.1:1 can't be reached") { $0.publicEndpoint = try closed() },
        WrongSetting("has no bucket \"nowhere\"") { $0.bucket = "nowhere" },
        WrongSetting("does not accept the signature") { $0.secret = "wrong" },
        WrongSetting("access key") { $0.accessKey = "nobody" },
        WrongSetting("region \"mars-1\"") { $0.region = "mars-1" },
    ]

    /// An endpoint without a listener: no program listens on port 1.
    private static func closed() throws -> S3Endpoint { try #require(S3Endpoint("http://127.0.0.1:1")) }
}
