import Foundation
import NeuroViewsCrypto
import TestSupport
import Testing

@testable import Storage

@Suite("Presigned requests at an S3 service", .blocking, .needs(.python), .timeLimit(.minutes(Patience.minutes(2))))
struct PresignedUploadTests {
    private let content = randomBytes(100_000)

    @Test("A presigned PUT makes the object, GET has its type and disposition, and HEAD has a URL of its own")
    func roundTrip() async throws {
        let s3 = try makeS3()
        let name = try key("a/video.mov")
        let id = try await s3.createMultipartUpload(name, contentType: "video/mp4")
        #expect(try send(part(s3, name, id), content) == 200)
        try await s3.completeMultipartUpload(name, uploadID: id, parts: try await s3.parts(of: name, uploadID: id))
        #expect(try await s3.read(name).sha256() == SHA256.hash(content))
        let disposition = "attachment; filename=\"a b.mov\""
        let get = s3.presignedGet(name, contentType: "video/quicktime", contentDisposition: disposition, expiresS: 60)
        let answer = try Program.run(["curl", "-sS", "-i", get.url])
        let head = String(decoding: answer.outputBytes.prefix(2000), as: UTF8.self).lowercased()
        #expect(head.contains("content-type: video/quicktime") && head.contains("content-disposition: \(disposition)"))
        #expect(Array(answer.outputBytes.suffix(content.count)) == content)
        let ofHead = s3.presignedGet(name, isHead: true, contentType: "video/quicktime", expiresS: 60)
        for (url, status) in [(ofHead.url, "200"), (get.url, "403")] {
            let head = try Program.run(["curl", "-sS", "-I", "-o", "/dev/null", "-w", "%{http_code}", url])
            #expect(head.output == status)
        }
    }

    @Test("A presigned PUT with another length, type or host, or a late or changed URL, is refused")
    func mismatches() async throws {
        let s3 = try makeS3()
        let name = try key("refused")
        let id = try await s3.createMultipartUpload(name, contentType: "video/mp4")
        let good = part(s3, name, id)
        #expect(try send(good, content + [0]) == 403)
        #expect(try send(good, content.dropLast()) == 403)
        #expect(try send(good, content, replacing: ["content-type": "text/html"]) == 403)
        #expect(try send(good, content, replacing: ["host": "other.example"]) == 403)
        #expect(try send(good, content, to: good.url.replacingOccurrences(of: "/refused", with: "/another")) == 403)
        #expect(
            try send(good, content, to: good.url.replacingOccurrences(of: "partNumber=1", with: "partNumber=2")) == 403
        )
        let early = S3Storage(s3.settings, pool: s3.pool.threads) { WallClock.nowS() - 120 }
        #expect(try send(part(early, name, id), content) == 403)
        #expect(try await s3.parts(of: name, uploadID: id).isEmpty)
        #expect(try send(good, content) == 200)
        let parts = try await s3.parts(of: name, uploadID: id)
        #expect(parts.map(\.number) == [1] && parts.map(\.bytes) == [content.count])
    }

    @Test("A presigned URL is refused after its upload is deleted")
    func afterwards() async throws {
        let s3 = try makeS3()
        let name = try key("aborted")
        let id = try await s3.createMultipartUpload(name, contentType: "video/mp4")
        #expect(try send(part(s3, name, id), content) == 200)
        try await ObjectStorage.s3(s3).deleteUpload(name)
        #expect(try send(part(s3, name, id), content) == 404)
        #expect(try await s3.multipartUploads().isEmpty)
    }

    private func part(_ s3: S3Storage, _ name: ObjectKey, _ uploadID: String) -> PresignedRequest {
        s3.presignedPart(
            name,
            uploadID: uploadID,
            number: 1,
            bytes: content.count,
            contentType: "video/mp4",
            expiresS: 60
        )
    }

    /// Sends a request by curl, like a client that knows only the request. Returns the status.
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
