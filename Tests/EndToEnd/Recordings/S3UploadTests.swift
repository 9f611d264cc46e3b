import Foundation
import NeuroViewsCrypto
import TestSupport
import Testing

@testable import Storage

@Suite("Recordings in S3", .blocking, .needs(.python), .timeLimit(.minutes(Patience.minutes(4))))
struct S3UploadTests {
    private static let shared = Result { try S3Server() }
    private static let content = BytePattern.bytes(100_000)

    private func open(_ device: Device, _ id: String, _ bytes: Int, _ more: String = "") throws -> S3Grant {
        try S3Grant(device.openUpload(id, bytes: bytes, more))
    }

    private func awaitReady(_ device: Device, _ id: String) throws {
        try Deadline.wait("the end of the jobs", seconds: 30) {
            try device.recording(id).string("processing_status") == "ready"
        }
    }

    @Test("A file in one PUT is stored only as signed, and the completion waits for it")
    func whole() throws {
        let s3 = try Self.shared.get()
        let device = try Device.new(s3.server.client)
        let id = UUID().uuidString
        let grant = try open(device, id, Self.content.count)
        #expect(grant.uploadOffset == 0 && grant.multipart.partCount == 1)
        #expect(try grant.put(Self.content + [0]) == 403)
        #expect(try grant.put(Self.content.dropLast()) == 403)
        #expect(try grant.put(Self.content, replacing: ["Content-Type": "text/html"]) == 403)
        let early = try device.complete(id, Device.movie)
        #expect(early.verdict == "409 upload-incomplete" && early.int("upload_offset") == 0)
        #expect(try grant.put(Self.content) == 200)
        let again = try open(device, id, Self.content.count)
        #expect(again.uploadOffset == Self.content.count && again.multipart.parts.isEmpty)
        for _ in 0..<2 { #expect(try device.complete(id, Device.movie).status == 200) }
        try awaitReady(device, id)
        let digest = Data(SHA256.hash(Self.content)).base64EncodedString()
        #expect(try device.recording(id).string("sha256") == digest)
        try expectContent(Self.content, id, device)
    }

    /// Expects this content behind the link, without a token.
    private func expectContent(_ content: [UInt8], _ id: String, _ device: Device) throws {
        let answer = try device.send("GET", "/v2/recordings/\(id)/content")
        #expect(answer.status == 307)
        let location = try #require(answer.field("location"))
        #expect(location.hasPrefix(try S3Peer.shared.get().url))
        let got = try Program.run(["curl", "-sS", "-i", location])
        let head = String(decoding: got.outputBytes.prefix(1500), as: UTF8.self).lowercased()
        #expect(head.contains("content-type: video/quicktime") && head.contains("content-disposition: attachment;"))
        #expect(Array(got.outputBytes.suffix(content.count)) == content)
        let headed = try #require(device.send("HEAD", "/v2/recordings/\(id)/content").field("location"))
        let size = try Program.run(["curl", "-sS", "-I", "-f", headed])
        #expect(size.status == 0 && size.output.lowercased().contains("content-length: \(content.count)"))
        let part = try Program.run(["curl", "-sS", "-r", "10-19", location])
        #expect(part.outputBytes == Array(content[10..<20]))
    }

    @Test("The doctor warns of an S3 service where a part's URL outlives its upload, such as OpenStack Swift", .inFull)
    func lateParts() throws {
        let output = try Self.shared.get().doctor().output
        #expect(output.contains("\nok       S3: ") && output.contains("\nwarning  S3 part URLs: "), "\(output)")
        #expect(output.contains("→ use another S3 service"), "\(output)")
        #expect(output.contains(" S3 and the console: "), "\(output)")
    }

    @Test("The urls of recordings in S3 lead to the store", .inFull)
    func urls() throws {
        let s3 = try Self.shared.get()
        let device = try Device.new(s3.server.client)
        let id = UUID().uuidString
        #expect(try open(device, id, Self.content.count).put(Self.content) == 200)
        #expect(try device.complete(id, Device.movie).status == 200)
        let urls: [[String: String]] = try device.recordings("urls=true").members("urls", of: "recordings")
        let url = try #require(urls.first?["content"])
        #expect(url.hasPrefix(try S3Peer.shared.get().url))
        #expect(Array(try Program.run(["curl", "-sS", url]).outputBytes) == Self.content)
        let page = try s3.server.client.send("GET", "/console").field("content-security-policy") ?? ""
        #expect(page.contains("connect-src 'self' \(try S3Peer.shared.get().url);"), "\(page)")
    }

    @Test("A multipart upload keeps its stored parts and requests the missing ones again")
    func parts() throws {
        let s3 = try Self.shared.get()
        let device = try Device.new(s3.server.client)
        let id = UUID().uuidString
        let partBytes = 5 << 20
        let content = [UInt8](repeating: 1, count: partBytes) + [UInt8](repeating: 2, count: partBytes) + [3, 3, 3]
        let grant = try open(device, id, content.count, #","part_size":\#(partBytes)"#)
        let sizes = grant.multipart.parts.map(\.size)
        #expect(grant.multipart.partSize == partBytes && sizes == [partBytes, partBytes, 3])
        #expect(try grant.put(Array(content.suffix(3)), to: grant.multipart.parts[2].url) == 200)
        #expect(try grant.put(Array(content.suffix(2)), to: grant.multipart.parts[1].url) == 403)
        #expect(try grant.put(Array(content.prefix(partBytes)), to: grant.multipart.parts[0].url) == 200)
        let early = try device.complete(id, Device.movie)
        #expect(early.verdict == "409 upload-incomplete" && early.int("upload_offset") == partBytes)
        // The open upload keeps its size.
        let left = try open(device, id, content.count, #","part_size":6000000"#)
        #expect(left.multipart.partSize == partBytes)
        #expect(left.uploadOffset == partBytes && left.multipart.parts.map(\.number) == [2])
        #expect(try open(device, id, content.count, #","first_part":3"#).multipart.parts.isEmpty)
        #expect(try left.put(Array(content[partBytes..<2 * partBytes]), to: left.multipart.parts[0].url) == 200)
        #expect(try device.complete(id, Device.movie).status == 200)
        try awaitReady(device, id)
        #expect(try device.recording(id).string("sha256") == Data(SHA256.hash(content)).base64EncodedString())
        #expect(try device.openUpload(id, bytes: 5, #","first_part":0"#).status == 422)
        for (bytes, wrong) in [(5, 5_242_879), (5, 5_368_709_121), (100 << 30, 5_242_880)] {
            let refused = try device.openUpload(UUID().uuidString, bytes: bytes, #","part_size":\#(wrong)"#)
            #expect(refused.verdict == "422 invalid-document")
        }
    }

    @Test("A client goes on after a lost completion and after an upload that the store dropped", .inFull)
    func lost() async throws {
        let s3 = try Self.shared.get()
        let device = try Device.new(s3.server.client)
        let (kept, dropped) = (UUID().uuidString, UUID().uuidString)
        #expect(try open(device, kept, Self.content.count).put(Self.content) == 200)
        let key = try s3.key(kept, of: device)
        let upload = try #require(try await s3.store.multipartUploads(of: key).first)
        let parts = try await s3.store.parts(of: key, uploadID: upload.id)
        try await s3.store.completeMultipartUpload(key, uploadID: upload.id, parts: parts)
        #expect(try open(device, kept, Self.content.count).uploadOffset == Self.content.count)
        #expect(try device.complete(kept, Device.movie).status == 200)

        let first = try open(device, dropped, Self.content.count)
        let other = try s3.key(dropped, of: device)
        try await ObjectStorage.s3(s3.store).deleteUpload(other)
        #expect(try first.put(Self.content) == 404)
        #expect(try device.complete(dropped, Device.movie).verdict == "409 upload-incomplete")
        #expect(try open(device, dropped, Self.content.count).put(Self.content) == 200)
        #expect(try device.complete(dropped, Device.movie).status == 200)
    }

    @Test("A deletion removes the upload or the object, and storage check finds no difference")
    func deleted() async throws {
        let s3 = try S3Server()
        let device = try Device.new(s3.server.client)
        let (open, complete) = (UUID().uuidString, UUID().uuidString)
        for id in [open, complete] { #expect(try self.open(device, id, Self.content.count).put(Self.content) == 200) }
        #expect(try device.complete(complete, Device.movie).status == 200)
        let keys = try (s3.key(open, of: device), s3.key(complete, of: device))
        #expect(try s3.check().output.contains("recordings: 1, files: 1, bytes: 100000, differences: 0"))
        for id in [open, complete] { #expect(try device.deleteRecording(id).status == 200) }
        try Deadline.wait("the removal", seconds: 30) { try s3.server.sql("SELECT count(*) FROM jobs") == ["0"] }
        #expect(try await s3.store.multipartUploads(of: keys.0).isEmpty)
        await #expect(throws: StorageError.missing) { try await s3.store.size(of: keys.1) }
        try await s3.store.put(
            [1],
            as: try #require(ObjectKey(String(repeating: "a", count: 32))),
            contentType: "text/plain"
        )
        let photo = try #require(ObjectKey("holiday/photo.jpg"))
        try await s3.store.put([1], as: photo, contentType: "image/jpeg")
        let found = try s3.check()
        #expect(found.status == 1 && found.output.contains("no recording has: aaaa"))
        #expect(try s3.check(["--repair"]).status == 1)
        #expect(try s3.check().status == 0)
        #expect(try await s3.store.size(of: photo) == 1, "somebody else's")
    }

    @Test("An erasure deletes the account's objects and uploads, and export links point to the bucket", .inFull)
    func erased() async throws {
        let s3 = try S3Server()
        let (device, other) = (try Device.new(s3.server.client), try Device.new(s3.server.client))
        let (open, complete, kept) = (UUID().uuidString, UUID().uuidString, UUID().uuidString)
        for id in [open, complete] { #expect(try self.open(device, id, Self.content.count).put(Self.content) == 200) }
        #expect(try device.complete(complete, Device.movie).status == 200)
        #expect(try self.open(other, kept, Self.content.count).put(Self.content) == 200)
        #expect(try other.complete(kept, Device.movie).status == 200)
        let keys = try (s3.key(open, of: device), s3.key(complete, of: device), s3.key(kept, of: other))
        let recordings = try #require(device.export().json["recordings"] as? [[String: Any]])
        let url = try #require((recordings.first?["urls"] as? [String: String])?["content"])
        #expect(try Program.run(["curl", "-sS", url]).outputBytes == Self.content)

        let answer = try device.erase()
        #expect(answer.status == 200 && answer.json["complete"] as? Bool == true, "\(answer.text)")
        #expect(try await s3.store.multipartUploads(of: keys.0).isEmpty)
        await #expect(throws: StorageError.missing) { try await s3.store.size(of: keys.1) }
        #expect(try await s3.store.size(of: keys.2) == Self.content.count)
        #expect(try s3.check().output.contains("recordings: 1, files: 1, bytes: 100000, differences: 0"))
    }

    @Test("A silent S3 service blocks neither other requests nor SIGTERM", .inFull)
    func silent() throws {
        let service = try ListeningSocket()
        let secret = Sandbox.makeFolder() + "/s3"
        let words = [
            "--s3-endpoint", "http://127.0.0.1:\(service.port)", "--s3-bucket", "bucket", "--s3-access-key", "a",
            "--s3-secret-file", secret,
        ]
        _ = FileManager.default.createFile(
            atPath: secret,
            contents: Data("b".utf8),
            attributes: [.posixPermissions: 0o600]
        )
        let server = try ServerProcess(
            ["--registration", "open", "--signatures", "optional", "--drain-timeout-ms", "1000"] + words
        )
        let device = try Device.new(server.client)
        let waiting = Thread { _ = try? device.openUpload(UUID().uuidString) }
        waiting.start()
        for _ in 0..<20 { #expect(try device.post(Preset().json).status == 201) }
        let began = Date()
        #expect(try server.stop() == 0)
        #expect(Date().timeIntervalSince(began) < 15)
        withExtendedLifetime(service) {}
    }

    @Test("Two servers with one bucket and one database do each other's jobs at once", .inFull)
    func twoServers() throws {
        let first = try S3Server(["--media-jobs", "0"])
        let database = "host=\(first.server.data)/socket port=5432 user=neuroviews dbname=neuroviews"
        let second = try S3Server(
            sharing: first,
            ["--database-url", database, "--secret-file", first.server.data + "/secret.key"]
        )
        var device = try Device.new(first.server.client)
        let id = UUID().uuidString
        #expect(try open(device, id, Self.content.count).put(Self.content) == 200)
        #expect(try device.complete(id, Device.movie).status == 200)
        // The other server's regular check runs only every 30 s.
        try Deadline.wait("the other server", seconds: 15) {
            try device.recording(id).string("processing_status") == "ready"
        }
        device.client = second.server.client
        try expectContent(Self.content, id, device)
        #expect(try second.server.stop() == 0)
    }

    @Test("A bucket of another database keeps its recordings, and the server serves everything else", .inFull)
    func foreign() async throws {
        let s3 = try Self.shared.get()
        let device = try Device.new(s3.server.client)
        let id = UUID().uuidString
        #expect(try open(device, id, Self.content.count).put(Self.content) == 200)
        let other = try S3Server(sharing: s3)
        let stranger = try Device.new(other.server.client)
        #expect(try stranger.openUpload(UUID().uuidString).verdict == "503 storage-unavailable")
        #expect(try stranger.post(Preset().json).status == 201)
        try other.server.awaitLog("another database")
        let check = try other.check(["--repair"])
        #expect(check.status != 0 && check.complaint.contains("another database"))
        #expect(try device.complete(id, Device.movie).status == 200)
    }
}
