import Foundation
import TestSupport
import Testing

@Suite("Quotas of recordings", .blocking)
struct RecordingQuotaTests {
    private func check(_ answer: HTTPAnswer, _ quota: String, limit: Int, used: Int) {
        Problems.check(answer, "403 quota-exceeded")
        #expect(answer.string("quota") == quota)
        #expect(answer.int("limit") == limit)
        #expect(answer.int("used") == used)
    }

    @Test("A recording over the quota is refused before a byte is sent, and deletions make room")
    func quotas() throws {
        let server = try ServerProcess([
            "--registration", "open", "--signatures", "optional", "--recording-max-bytes", "2000",
            "--recordings-max-bytes", "3000", "--open-uploads-max", "2", "--items-max", "3",
        ])
        let device = try Device.new(server.client)
        let ids = (0..<4).map { _ in UUID().uuidString }
        check(try device.openUpload(ids[0], bytes: 2001), "file_bytes", limit: 2000, used: 2001)
        #expect(try device.openUpload(ids[0], bytes: 2000).status == 200)
        check(try device.openUpload(ids[1], bytes: 1001), "recording_bytes", limit: 3000, used: 2000)
        #expect(try device.openUpload(ids[1], bytes: 999).status == 200)
        check(try device.openUpload(ids[2], bytes: 1), "open_uploads", limit: 2, used: 2)
        #expect(try device.openUpload(ids[1], bytes: 999).status == 200, "the same again needs no room")
        let replacing = #","replace":true"#
        check(try device.openUpload(ids[1], bytes: 1001, replacing), "recording_bytes", limit: 3000, used: 2999)
        #expect(try device.openUpload(ids[1], bytes: 999).status == 200, "a refusal ends nothing")
        #expect(try device.openUpload(ids[1], bytes: 1000, replacing).status == 200)
        Problems.check(try device.openUpload(ids[1], bytes: 999), "409 recording-exists")

        // Cancelled and completed uploads are no longer open. The bytes of a completed upload count.
        #expect(try device.deleteRecording(ids[1]).status == 200)
        try device.finishUpload(ids[0], server)
        #expect(try device.complete(ids[0], Device.movie).status == 200)
        check(try device.openUpload(ids[2], bytes: 1001), "recording_bytes", limit: 3000, used: 2000)
        for id in ids[2...] { #expect(try device.openUpload(id, bytes: 1).status == 200) }
        #expect(try device.deleteRecording(ids[0]).status == 200)
        for id in ids[2...] { try device.finishUpload(id, server) }
        #expect(try device.complete(ids[2], Device.movie).status == 200)
        #expect(try device.complete(ids[3], Device.movie).status == 200)

        // With two recordings and an upload the account is full. A finished upload can still be completed.
        let last = UUID().uuidString
        #expect(try device.openUpload(last, bytes: 1).status == 200)
        check(try device.openUpload(UUID().uuidString, bytes: 1), "items", limit: 3, used: 3)
        try device.finishUpload(last, server)
        #expect(try device.complete(last, Device.movie).status == 200)
        #expect(try device.post(Preset().json).status == 201, "configurations are counted on their own")
    }

    @Test("Each recording's largest thumbnail counts, until the recording is deleted")
    func thumbnails() throws {
        let words = ["--registration", "open", "--signatures", "optional", "--recordings-max-bytes", "3000"]
        let server = try ServerProcess(words + ["--media-jobs", "0"])
        defer { _ = try? server.stop() }
        let device = try Device.new(server.client)
        func used() throws -> Int? {
            let quotas = try device.send("GET", "/v2/account/quota").json["quotas"] as? [[String: Any]] ?? []
            return quotas.first { $0["quota"] as? String == "recording_bytes" }?["used"] as? Int
        }
        let id = UUID().uuidString
        func put(_ bytes: Int) throws -> HTTPAnswer {
            let (path, type) = ("/v2/recordings/\(id)/thumbnail", ("Content-Type", "application/octet-stream"))
            return try device.send("PUT", path, [type], body: String(repeating: "x", count: bytes))
        }
        let envelope =
            #","encryption":{"scheme":"x","version":1,"wrapped_key":"a","key_id":"b","nonce_prefix":"c","segment_size":65536}"#
        #expect(try device.openUpload(id, bytes: 1000, envelope).status == 200)
        try device.finishUpload(id, server)
        #expect(try device.complete(id, Device.movie).status == 200)
        #expect(try put(1500).status == 204)
        #expect(try used() == 2500)
        #expect(try put(100).status == 204)
        #expect(try used() == 2500, "its room stays")
        check(try put(2001), "recording_bytes", limit: 3000, used: 2500)
        check(try device.openUpload(UUID().uuidString, bytes: 501), "recording_bytes", limit: 3000, used: 2500)
        #expect(try put(2000).status == 204)
        #expect(try device.deleteRecording(id).status == 200)
        #expect(try used() == 0)
        #expect(try device.openUpload(UUID().uuidString, bytes: 3000).status == 200)
    }

    @Test("The quota lists use beside limits, and open uploads as reserved")
    func use() throws {
        let device = try Shared.newDevice()
        #expect(try device.post(Preset().json).status == 201)
        try device.addRecording()
        #expect(try device.openUpload(UUID().uuidString, bytes: 77).status == 200)
        let answer = try device.send("GET", "/v2/account/quota")
        #expect(answer.status == 200)
        let quotas = answer.json["quotas"] as? [[String: Any]] ?? []
        func use(_ quota: String, _ collection: String?) -> [Int?] {
            let found = quotas.first { $0["quota"] as? String == quota && $0["collection"] as? String == collection }
            return ["used", "reserved", "limit"].map { found?[$0] as? Int }
        }
        #expect(use("items", "configurations") == [1, 0, 10_000])
        #expect(use("items", "recordings") == [1, 0, 10_000])
        #expect(use("tombstones", "recordings") == [0, 0, 100_000])
        #expect(use("recording_bytes", nil) == [1000, 77, 1 << 40])
        #expect(use("open_uploads", nil) == [1, 0, 100])
    }

    @Test("A new upload deletes the account's failed uploads with their bytes")
    func failed() throws {
        let (device, server) = (try Shared.newDevice(), try Shared.server.get())
        func count(_ table: String) throws -> String? {
            try server.sql("SELECT count(*) FROM \(table) WHERE user_id = '\(device.userID)'").first
        }
        for _ in 0..<3 {
            #expect(try device.openUpload(UUID().uuidString).status == 200)
            try server.sql("UPDATE recording_files SET upload = 'failed' WHERE user_id = '\(device.userID)'")
        }
        #expect(try count("recording_files") == "1")
        #expect(try count("jobs") == "2")
    }

    @Test("Uploads of twelve concurrent devices reserve no more than the quota")
    func concurrent() async throws {
        let device = try Shared.newDevice()
        let size = (1 << 40) / 8
        // The default is 1 TiB for an account, and 128 GiB for a file.
        let answers = try await withThrowingTaskGroup(of: HTTPAnswer.self) { group in
            for _ in 0..<12 {
                group.addTask { try await onThread { try device.openUpload(UUID().uuidString, bytes: size) } }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(answers.count { $0.status == 200 } == 8)
        for answer in answers where answer.status != 200 {
            check(answer, "recording_bytes", limit: 1 << 40, used: 1 << 40)
        }
    }
}
