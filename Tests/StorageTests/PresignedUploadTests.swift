import Crypto
import Foundation
import TestSupport
import Testing

@testable import Storage

@Suite("Presigned requests at an S3 service", .blocking, .needsS3Peer, .timeLimit(.minutes(Patience.minutes(2))))
struct PresignedUploadTests {
    private let content = randomBytes(100_000)

    @Test("A client's PUT that keeps to what was signed makes the object; a GET has the type and the disposition")
    func roundTrip() async throws {
        let s3 = try makeS3()
        let name = try key("a/video.mov")
        let put = s3.presignedPut(
            name,
            bytes: content.count,
            contentType: "video/mp4",
            sha256: SHA256.hash(content),
            expiresS: 60
        )
        #expect(try send(put, content) == 200)
        #expect(try await s3.read(name).sha256() == SHA256.hash(content))
        let disposition = "attachment; filename=\"a b.mov\""
        let get = s3.presignedGet(name, contentType: "video/quicktime", contentDisposition: disposition, expiresS: 60)
        let answer = try Program.run(["curl", "-sS", "-i", get.url])
        let head = String(decoding: answer.outputBytes.prefix(2000), as: UTF8.self).lowercased()
        #expect(head.contains("content-type: video/quicktime") && head.contains("content-disposition: \(disposition)"))
        #expect(Array(answer.outputBytes.suffix(content.count)) == content)
    }

    @Test("Another length, type, content or host, and a late or changed URL, are refused; nothing is stored")
    func mismatches() async throws {
        let s3 = try makeS3()
        let name = try key("refused")
        func put(expiresS: Int = 60, _ s3: S3Storage) -> PresignedRequest {
            let digest = SHA256.hash(content)
            return s3.presignedPut(
                name,
                bytes: content.count,
                contentType: "video/mp4",
                sha256: digest,
                expiresS: expiresS
            )
        }
        let good = put(s3)
        #expect(try send(good, content + [0]) == 403)
        #expect(try send(good, content.dropLast()) == 403)
        #expect(try send(good, content, replacing: ["content-type": "text/html"]) == 403)
        #expect(try send(good, content, replacing: ["x-amz-checksum-sha256": nil]) == 403)
        #expect(try send(good, content.reversed()) == 400)
        #expect(try send(good, content, replacing: ["host": "other.example"]) == 403)
        #expect(try send(good, content, to: good.url.replacingOccurrences(of: "/refused", with: "/another")) == 403)
        let early = S3Storage(s3.settings, pool: s3.pool) { WallClock.nowS() - 120 }
        #expect(try send(put(early), content) == 403)
        await #expect(throws: StorageError.missing) { try await s3.size(of: name) }
        #expect(try send(good, content) == 200)
    }

    @Test("A presigned part takes its own length alone")
    func part() async throws {
        let s3 = try makeS3()
        let name = try key("parts")
        let id = try await s3.createMultipartUpload(name, contentType: "video/mp4")
        let part = s3.presignedPart(name, uploadID: id, number: 2, bytes: content.count, expiresS: 60)
        #expect(try send(part, content + [0]) == 403)
        #expect(try send(part, content) == 200)
        let parts = try await s3.parts(of: name, uploadID: id)
        #expect(parts.map(\.number) == [2] && parts.map(\.bytes) == [content.count])
    }

    /// By curl, as a client that knows nothing but the request. Returns the status.
    private func send(
        _ request: PresignedRequest,
        _ body: [UInt8],
        replacing: [String: String?] = [:],
        to url: String? = nil
    ) throws -> Int? {
        var fields = request.fields.merging(["expect": ""]) { own, _ in own }
        // curl counts the body itself.
        fields["content-length"] = nil
        for (name, value) in replacing { fields[name] = value }
        let lines = fields.flatMap { ["-H", "\($0.key): \($0.value)"] }
        let command = ["curl", "-sS", "-o", "/dev/null", "-w", "%{http_code}", "-X", request.method]
        let run = try Program.run(command + lines + ["--data-binary", "@-", url ?? request.url], inputBytes: body)
        return Int(run.output)
    }
}
