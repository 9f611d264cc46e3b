import Foundation
import Net
import TestSupport
import Testing

@testable import Storage

@Suite("HTTP to an S3 service", .blocking, .timeLimit(.minutes(Patience.minutes(1))))
struct HTTPTransferTests {
    private func storage(_ service: ScriptedService, caFile: String? = nil) throws -> S3Storage {
        let settings = S3Settings(
            endpoint: try service.endpoint(),
            region: "us-east-1",
            bucket: "b",
            accessKey: "a",
            secret: "s"
        )
        return S3Storage(settings, pool: try testPool.get()) { 0 }
    }

    @Test("A success status of S3 with an error document is a failure")
    func errorInSuccess() async throws {
        let document =
            "<?xml version=\"1.0\"?>\n<Error><Code>InternalError</Code><Message>Try &amp; wait</Message></Error>"
        let service = try ScriptedService(
            answer: "HTTP/1.1 200 OK\r\nContent-Length: \(9 + document.utf8.count)\r\n\r\n"
                + "         \(document)"
        )
        let refusal = StorageError.refused(status: 200, code: "InternalError", message: "Try & wait")
        let (s3, name) = (try storage(service), try key("k"))
        await #expect(throws: refusal) { try await s3.completeMultipartUpload(name, uploadID: "u", parts: []) }
    }

    @Test(
        "A truncated, empty or too large answer of S3 is an error",
        arguments: [
            "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n<ListPartsResult>", "HTTP/1.1 200 OK\r\n\r\nhello",
            "HTTP/1.1 200 OK\r\n\r\n" + String(repeating: " ", count: 5 << 20), "", "HTTP/1.1 200 OK\r\n",
        ]
    )
    func brokenAnswers(_ answer: String) async throws {
        let service = try ScriptedService(answer: answer)
        let s3 = try storage(service)
        let name = try key("k")
        let error = await #expect(throws: StorageError.self) { try await s3.parts(of: name, uploadID: "u") }
        guard case .unavailable = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test("Requests to S3 refuse compression, by a field that is not signed")
    func encoding() async throws {
        let service = try ScriptedService(answer: "HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\n")
        let name = try key("k")
        #expect(try await storage(service).size(of: name) == 7)
        let lines = service.requests.first?.lowercased().components(separatedBy: "\r\n") ?? []
        #expect(lines.contains("accept-encoding: identity"))
        #expect(lines.contains { $0.contains("signedheaders=host;x-amz-content-sha256;x-amz-date") })
    }

    @Test("An S3 service without a head or with a body below the minimum rate is given up in time")
    func slow() throws {
        let silent = try ScriptedService(answer: "", staysOpen: true)
        let client = HTTPClient(caFile: nil)
        let startedMs = Monotonic.nowMs()
        let request = HTTPRequest(method: "GET", url: try silent.endpoint().description, headLimitMs: 200)
        #expect(throws: StorageError.unavailable("too slow: it took more than 200 ms")) { try client.open(request) }
        let answer = "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhello"
        let stalled = try ScriptedService(answer: answer, staysOpen: true)
        let transfer = try client.open(HTTPRequest(method: "GET", url: try stalled.endpoint().description))
        transfer.pieceLimitMs = 200
        #expect(throws: StorageError.unavailable("too slow: it took more than 200 ms")) { try transfer.piece() }
        #expect(Monotonic.nowMs() - startedMs < UInt64(Patience.ms(10_000)))
    }

    @Test("A small object that S3 does not take within its caller's limit is given up")
    func putLimit() async throws {
        let silent = try ScriptedService(answer: "", staysOpen: true)
        let (store, name) = (ObjectStorage.s3(try storage(silent)), try key("k"))
        await #expect(throws: StorageError.unavailable("too slow: it took more than 200 ms")) {
            try await store.put([1], as: name, contentType: "image/jpeg", limitMs: 200)
        }
    }

    @Test("An S3 service's certificate is accepted only if its authority is named")
    func certificates() async throws {
        let folder = try TestCertificate().write()
        let content = randomBytes(3 << 20)
        try Data(content).write(to: URL(fileURLWithPath: folder + "/content"))
        let service = try TLSService(folder)
        defer { service.end() }
        let request = HTTPRequest(method: "GET", url: service.url + "content")
        let client = HTTPClient(caFile: folder + "/cert.pem")
        try await eventually { (try? client.exchange(request).body) == content }
        let error = #expect(throws: StorageError.self) { try HTTPClient(caFile: nil).exchange(request) }
        guard case .unavailable(let reason) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(reason.contains("certificate"), "\(reason)")
    }
}

/// The openssl server. It answers each GET with a file of the folder.
private final class TLSService: Sendable {
    let url: String
    private let program: SpawnedProgram

    init(_ folder: String) throws {
        let port = try ListeningSocket().port
        url = "https://localhost:\(port)/"
        let files = ["-cert", folder + "/cert.pem", "-key", folder + "/key.pem"]
        let words = ["s_server", "-accept", "127.0.0.1:\(port)", "-quiet", "-WWW"] + files
        var settings = SpawnedProgram.Settings()
        settings.folder = folder
        program = try SpawnedProgram("/usr/bin/openssl", words, settings)
    }

    func end() {
        kill(program.number, SIGKILL)
        _ = program.wait(seconds: 10)
    }
}
