import Foundation
import Net
import TestSupport
import Testing

@testable import Storage

@Suite(
    "Parts that arrive after the end of their upload",
    .blocking,
    .needs(.python),
    .timeLimit(.minutes(Patience.minutes(2)))
)
struct LatePartTests {
    @Test("The trial of a late part finds that it destroys an object of OpenStack Swift, and leaves nothing")
    func swift() async throws {
        let s3 = try makeS3()
        #expect(try await s3.latePartChangesObject())
        try await expectNothing(in: s3)
    }

    @Test(
        "A late part that is refused or has no effect passes the trial, which leaves nothing",
        arguments: ["404 Not Found", "200 OK"]
    )
    func harmless(status: String) async throws {
        let service = try Self.service(late: "HTTP/1.1 \(status)\r\nContent-Length: 0\r\n\r\n")
        let s3 = try makeS3(change: { $0.publicEndpoint = try service.endpoint() })
        #expect(try await !s3.latePartChangesObject())
        #expect(service.requests.last?.hasSuffix("the later part") == true)
        try await expectNothing(in: s3)
    }

    @Test("A trial of a late part that fails, before or after the end of its upload, leaves nothing")
    func failing() async throws {
        let closing = try Self.service(late: "")
        for endpoint in [try #require(S3Endpoint("http://127.0.0.1:1")), try closing.endpoint()] {
            let s3 = try makeS3(change: { $0.publicEndpoint = endpoint })
            await #expect(throws: StorageError.self) { try await s3.latePartChangesObject() }
            try await expectNothing(in: s3)
        }
        #expect(closing.requests.count >= 2)
    }

    private func expectNothing(in s3: S3Storage) async throws {
        try await ObjectStorage.s3(s3).forEachPage { #expect($0.isEmpty) }
        #expect(try await s3.multipartUploads().isEmpty)
    }

    /// A proxy before Swift, which behaves like S3: only the first PUT of a part gets there. Later ones get this answer.
    private static func service(late: String) throws -> ScriptedService {
        let peer = try S3Peer.shared.get().url
        let count = Locked(0)
        return try ScriptedService { request in
            let number = count.withLock { count in
                count += 1
                return count
            }
            return number > 1 ? late : (try? forward(request, to: peer)) ?? ""
        }
    }

    /// Keeps the `Host` field, which is signed.
    private static func forward(_ request: String, to peer: String) throws -> String {
        let lines = request.components(separatedBy: "\r\n")
        let host = lines.first { $0.lowercased().hasPrefix("host:") } ?? ""
        let target = lines[0].components(separatedBy: " ")[1]
        let command = ["curl", "-sS", "-i", "-X", "PUT", "-H", host, "-H", "Content-Type:", "-H", "Expect:"]
        let body = Array((lines.last ?? "").utf8)
        let run = try Program.run(command + ["--data-binary", "@-", peer + target], inputBytes: body)
        return String(decoding: run.outputBytes, as: UTF8.self)
    }
}
