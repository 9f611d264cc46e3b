import Foundation
import NeuroViewsCrypto
import TestSupport
import Testing

@Suite("Downloads of recordings", .blocking)
struct DownloadTests {
    private static let content = BytePattern.bytes(100_000)

    /// A completed recording with a file.
    private func recording(_ device: Device, _ metadata: String = Device.movie, _ upload: String = "") throws -> String
    {
        let id = try device.addRecording(metadata, upload, bytes: Self.content.count)
        try device.storeFile(id, Self.content, Shared.server.get())
        return id
    }

    /// The path of the link to a part of a recording.
    private func link(_ device: Device, _ id: String, _ part: String = "content") throws -> String {
        let answer = try device.send("GET", "/v2/recordings/\(id)/\(part)")
        #expect(answer.status == 307)
        let location = answer.field("location") ?? ""
        return String(
            location.dropFirst(
                (location.range(of: "/v2/")?.lowerBound).map { location.distance(from: location.startIndex, to: $0) }
                    ?? 0
            )
        )
    }

    @Test("A link downloads the whole file without a token, as an attachment")
    func whole() throws {
        let device = try Shared.newDevice()
        let id = try recording(device, #"{"filename":"Möwe \"1\"/x.mov","created_at":"2026-03-01T12:00:00Z"}"#)
        let answer = try device.client.send("GET", try link(device, id))
        #expect(answer.status == 200)
        #expect(answer.body == Self.content)
        #expect(answer.field("content-type") == "video/quicktime")
        #expect(answer.field("accept-ranges") == "bytes")
        #expect(answer.field("x-content-type-options") == "nosniff")
        #expect(
            answer.field("content-disposition")
                == #"attachment; filename="M_we _1__x.mov"; filename*=UTF-8''M%C3%B6we%20%221%22%2Fx.mov"#
        )
        let head = try device.client.send("HEAD", try link(device, id))
        #expect(head.status == 200 && head.field("content-length") == "100000")
        #expect(head.field("etag") == answer.field("etag"))
    }

    @Test(
        "A range of a file is downloaded",
        arguments: [
            ("bytes=0-9", 0..<10), ("bytes=10-", 10..<100_000), ("bytes=-5", 99_995..<100_000),
            ("bytes=99999-200000", 99_999..<100_000),
            ("bytes=-200000", 0..<100_000), ("Bytes= 7-7 ", 7..<8), ("bytes=5-99999999999999999999", 5..<100_000),
        ]
    )
    func range(_ field: String, _ wanted: Range<Int>) throws {
        let device = try Shared.newDevice()
        let answer = try device.client.send("GET", try link(device, recording(device)), [("Range", field)])
        #expect(answer.status == 206)
        #expect(answer.field("content-range") == "bytes \(wanted.lowerBound)-\(wanted.upperBound - 1)/100000")
        #expect(answer.body == Array(Self.content[wanted]))
    }

    @Test("Impossible and multiple ranges are refused, and a malformed one is ignored")
    func unsatisfiable() throws {
        let device = try Shared.newDevice()
        let link = try link(device, recording(device))
        for field in ["bytes=100000-", "bytes=200000-300000", "bytes=-0", "bytes=0-1,5-6", "bytes=0-1, 200000-"] {
            let answer = try device.client.send("GET", link, [("Range", field)])
            Problems.check(answer, "416 range-not-satisfiable")
            #expect(answer.field("content-range") == "bytes */100000")
        }
        for field in ["bytes=", "bytes=a-b", "bytes=9-1", "lines=1-2", "bytes=--1", "bytes", "bytes=1-2,x"] {
            #expect(try device.client.send("GET", link, [("Range", field)]).status == 200, "\(field)")
        }
    }

    @Test("Downloads obey If-Range, If-None-Match and If-Match")
    func conditions() throws {
        let device = try Shared.newDevice()
        let link = try link(device, recording(device))
        let tag = try device.client.send("HEAD", link).field("etag") ?? ""
        func status(_ fields: APIClient.Fields) throws -> Int { try device.client.send("GET", link, fields).status }
        let range = ("Range", "bytes=0-1")
        #expect(try status([range, ("If-Range", tag)]) == 206)
        #expect(try status([range, ("If-Range", "W/" + tag)]) == 200)
        #expect(try status([range, ("If-Range", "\"other\"")]) == 200)
        #expect(try status([range, ("If-Range", "Sun, 06 Nov 1994 08:49:37 GMT")]) == 200)
        #expect(try status([("If-None-Match", tag)]) == 304)
        #expect(try status([range, ("If-None-Match", tag)]) == 304)
        #expect(try status([range, ("If-Match", "\"other\"")]) == 412)
        #expect(try status([range, ("If-Match", tag)]) == 206)
    }

    @Test("Only the owner gets a link, and an altered link is refused")
    func strangers() throws {
        let (device, stranger) = (try Shared.newDevice(), try Shared.newDevice())
        let id = try recording(device)
        Problems.check(try stranger.send("GET", "/v2/recordings/\(id)/content"), "404 not-found")
        Problems.check(try stranger.send("GET", "/v2/recordings/\(id)/thumbnail"), "404 not-found")
        let link = try link(device, id)
        let later = link.split(separator: ".").enumerated().map { $0.offset == 2 ? "9999999999" : String($0.element) }
        for altered in [
            link.replacingOccurrences(of: "/content.", with: "/thumbnail."), later.joined(separator: "."), link + "A",
            String(link.dropLast()), "/v2/downloads/x", "/v2/downloads/a.b.c.d.e",
            link.replacingOccurrences(of: "content.", with: ""),
        ] {
            Problems.check(try device.client.send("GET", altered), "404 not-found")
        }
    }

    @Test("A file that is not complete, deleted or lost gets no download")
    func life() throws {
        let (device, id) = (try Shared.newDevice(), UUID().uuidString)
        _ = try device.openUpload(id)
        Problems.check(try device.send("GET", "/v2/recordings/\(id)/content"), "409 upload-incomplete")
        let other = try recording(device)
        let link = try link(device, other)
        _ = try device.deleteRecording(other)
        Problems.check(try device.client.send("GET", link), "404 not-found")
        Problems.check(try device.send("GET", "/v2/recordings/\(other)/content"), "404 not-found")
        let lost = try device.addRecording()
        Problems.check(try device.client.send("GET", self.link(device, lost)), "404 not-found")
    }

    @Test("A client's thumbnail is a JPEG, or ciphertext for an encrypted recording")
    func thumbnail() throws {
        let device = try Shared.newDevice()
        let (plain, encrypted) = (
            try recording(device),
            try recording(
                device,
                Device.movie,
                #","encryption":{"scheme":"x","version":1,"wrapped_key":"a","key_id":"b","nonce_prefix":"c","segment_size":65536}"#
            )
        )
        let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0, 1, 2, 3]
        let waiting = try device.send("GET", "/v2/recordings/\(encrypted)/thumbnail")
        Problems.check(waiting, "404 thumbnail-not-ready")
        #expect(waiting.field("retry-after").flatMap { Int($0) }.map { 5...7 ~= $0 } == true)
        #expect(try put(jpeg, "image/jpeg", device, plain) == 204)
        #expect(try put([9, 8, 7], "application/octet-stream", device, encrypted) == 204)
        #expect(try put([9, 8, 7], "image/jpeg", device, plain) == 400)
        #expect(try put(jpeg, "image/png", device, plain) == 415)
        #expect(try put(jpeg, "image/jpeg", device, encrypted) == 415)
        #expect(try put(jpeg, "image/jpeg", Shared.newDevice(), plain) == 404)
        #expect(try put([UInt8](repeating: 0xFF, count: 2 << 20), "image/jpeg", device, plain) == 413)
        let early = UUID().uuidString
        _ = try device.openUpload(early)
        #expect(try put(jpeg, "image/jpeg", device, early) == 409)
        let shown = try device.client.send("GET", link(device, plain, "thumbnail"))
        #expect(shown.body == jpeg && shown.field("content-type") == "image/jpeg")
        #expect(shown.field("content-disposition") == nil)
        let sealed = try device.client.send("GET", link(device, encrypted, "thumbnail"))
        #expect(sealed.body == [9, 8, 7] && sealed.field("content-type") == "application/octet-stream")
    }

    @Test("A thumbnail without room in the memory of its client's address is refused before it is read", .inFull)
    func room() throws {
        let server = try ServerProcess([
            "--registration", "open", "--signatures", "optional", "--buffers-max-bytes", String(2 << 20),
        ])
        let device = try Device.new(server.client)
        let id = try device.addRecording(at: server)
        let jpeg = [0xFF, 0xD8, 0xFF, 0xE0] + [UInt8](repeating: 1, count: 400_000)
        #expect(try put(jpeg, "image/jpeg", device, id) == 204)
        let link = try link(device, id, "thumbnail")
        func statuses() throws -> [Int] { try ["GET", "HEAD"].map { try device.client.send($0, link).status } }
        #expect(try statuses() == [200, 200])
        // Another body of the same address takes most of the memory.
        let other = try RawSocket(port: device.client.port)
        let fields = [
            ("Authorization", "Bearer \(device.token)"), ("Content-Type", "image/jpeg"), ("Content-Length", "1000000"),
        ]
        try other.send(APIClient.request("PUT", "/v2/recordings/\(id)/thumbnail", host: device.client.host, fields))
        try other.send([UInt8](repeating: 1, count: 990_000))
        try Deadline.wait("the body", seconds: 20) {
            let metrics = try server.adminClient.send("GET", "/metrics").text.split(separator: "\n")
            let line = metrics.first { $0.hasPrefix(#"neuroviews_http_reserved_bytes{listener="public"}"#) }
            return (line?.split(separator: " ").last.flatMap { Double($0) }).map { $0 >= 900_000 } ?? false
        }
        #expect(try statuses() == [503, 503])
        other.close()
    }

    private static func path(of url: String) throws -> String {
        let start = try #require(url.range(of: "/v2/")).lowerBound
        return String(url[start...])
    }

    @Test("thumbnail_url needs no token, lets clients cache the picture, and is the same all day")
    func thumbnailURL() throws {
        let (device, id) = (try Shared.newDevice(), UUID().uuidString)
        let opened = try device.openUpload(id)
        #expect(opened.status == 200)
        try device.finishUpload(id, Shared.server.get())
        let completed = try device.complete(id, Device.movie).string("thumbnail_url")
        let path = try Self.path(of: completed)
        #expect(path.hasPrefix("/v2/downloads/thumbnail."))
        let early = try device.client.send("GET", path)
        Problems.check(early, "404 thumbnail-not-ready")
        #expect(early.field("retry-after") != nil && early.field("cache-control") == "no-store")
        let first: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0, 1, 2, 3]
        #expect(try put(first, "image/jpeg", device, id) == 204)
        for answer in [try device.recordings(), try device.recordings("sync_token=")] {
            #expect(answer.members("thumbnail_url", of: "recordings") == [completed])
        }
        #expect(try device.recording(id).string("thumbnail_url") == completed)

        let shown = try device.client.send("GET", path)
        #expect(shown.body == first && shown.field("content-type") == "image/jpeg")
        #expect(shown.field("cache-control") == "private, max-age=3600" && shown.field("accept-ranges") == "bytes")
        let tag = try #require(shown.field("etag"))
        let unchanged = try device.client.send("GET", path, [("If-None-Match", tag)])
        #expect(unchanged.status == 304 && unchanged.field("cache-control") == "private, max-age=3600")
        let part = try device.client.send("GET", path, [("Range", "bytes=4-5"), ("If-Range", tag)])
        #expect(part.status == 206 && part.body == [1, 2] && part.field("content-range") == "bytes 4-5/7")
        let second: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0, 4, 5, 6]
        #expect(try put(second, "image/jpeg", device, id) == 204)
        let replaced = try device.client.send("GET", path, [("Range", "bytes=4-5"), ("If-Range", tag)])
        #expect(replaced.status == 200 && replaced.body == second, "no part of another picture")
        #expect(try device.client.send("HEAD", path).field("content-length") == "7")
        Problems.check(try device.client.send("GET", path.replacing("/thumbnail.", with: "/content.")), "404 not-found")
    }

    @Test("Recordings without a picture have null in place of a link, and complete has a link all the same")
    func noThumbnail() throws {
        let (device, id) = (try Shared.newDevice(), UUID().uuidString)
        #expect(try device.askForUpload(id, #"{"file_size":1000,"content_type":"audio/mp4"}"#).status == 200)
        #expect(try device.recordings("state=uploading").objects("recordings").first?["thumbnail_url"] is NSNull)
        try device.finishUpload(id, Shared.server.get())
        let path = try Self.path(of: device.complete(id, Device.movie).string("thumbnail_url"))
        Problems.check(try device.client.send("GET", path), "404 thumbnail-unavailable")
        #expect(try device.recording(id).raw("thumbnail_url") == "null")
        let refused = try device.complete(id, #"{"creation_date":"2026-03-02T12:00:00Z"}"#)
        Problems.check(refused, "409 recording-exists")
        #expect(refused.raw("current") == (try device.recording(id).text))
    }

    @Test("With urls=true recordings have links to their files, which need no token")
    func urls() throws {
        let device = try Shared.newDevice()
        let id = try recording(device)
        let list = try device.recordings("urls=true")
        let listed: [[String: String]] = list.members("urls", of: "recordings")
        #expect(listed.map { $0.keys.sorted() } == [["content"]] && !list.string("urls_expire_at").isEmpty)
        let path = try Self.path(of: listed[0]["content"] ?? "")
        #expect(try device.client.send("GET", path).body == Self.content)
        try Shared.server.get().sql(
            "UPDATE recording_files SET has_preview = true, has_thumbnail = true WHERE id = '\(id)'"
        )
        let one = try device.send("GET", "/v2/recordings/\(id)?urls=true")
        let urls = one.json["urls"] as? [String: String]
        #expect(one.field("etag") == nil && !one.string("urls_expire_at").isEmpty)
        #expect(urls?.keys.sorted() == ["content", "preview"])
        #expect(urls?["preview"]?.contains("/v2/downloads/preview.") == true)
        Problems.check(try Shared.other().send("GET", "/v2/recordings/\(id)?urls=true"), "404 not-found")
        let plain = try device.recording(id)
        #expect(plain.field("etag") != nil && plain.raw("urls") == nil)
        let without: [[String: String]] = try device.recordings().members("urls", of: "recordings")
        #expect(without.isEmpty)
    }

    @Test("The urls of a recording without a complete file are empty, and deltas have none")
    func noURLs() throws {
        let (device, id) = (try Shared.newDevice(), UUID().uuidString)
        #expect(try device.openUpload(id).status == 200)
        let coming: [[String: String]] = try device.recordings("state=uploading&urls=true")
            .members("urls", of: "recordings")
        #expect(coming == [[:]])
        for query in ["urls=yes", "urls=", "sync_token=&urls=true"] {
            Problems.check(try device.recordings(query), "400 invalid-parameter")
        }
        try device.finishUpload(id, Shared.server.get())
        let back = #"{"filename":"A.mov","created_at":"2026-03-01T12:00:00Z","urls":{},"urls_expire_at":"x"}"#
        #expect(try device.complete(id, back).status == 200)
        #expect(try device.recording(id).raw("urls") == nil)
    }

    @Test("A file whose size differs from the recording's is not sent as complete")
    func damaged() throws {
        let device = try Shared.newDevice()
        let id = try recording(device)
        let link = try link(device, id)
        try device.storeFile(id, Array(Self.content.dropLast()), Shared.server.get())
        Problems.check(try device.client.send("GET", link), "503 storage-unavailable")
    }

    private func put(_ bytes: [UInt8], _ type: String, _ device: Device, _ id: String) throws -> Int {
        let file = Sandbox.makeFolder() + "/thumbnail"
        try Data(bytes).write(to: URL(fileURLWithPath: file))
        let url = "http://127.0.0.1:\(device.client.port)/v2/recordings/\(id)/thumbnail"
        let curl = try Program.run([
            "curl", "-sS", "-o", "/dev/null", "-w", "%{http_code}", "-X", "PUT", "-H", "Content-Type: \(type)", "-H",
            "Expect:",
            "-H", "Authorization: Bearer \(device.token)", "--data-binary", "@" + file, url,
        ])
        return Int(curl.output) ?? 0
    }
}
