import Foundation
import TestSupport
import Testing

@Suite("Previews of recordings", .blocking)
struct PreviewTests {
    /// Not each machine for tests allows namespaces.
    private static let arguments = [
        "--registration", "open", "--signatures", "optional", "--previews", "on", "--unsandboxed-media", "accept-risk",
    ]
    private static let canMake = ["ffmpeg", "ffprobe"].allSatisfy { access("/usr/bin/\($0)", X_OK) == 0 }

    /// A film of 20 pictures in a phone's format: HEVC of 10 bits, sound, index at the end.
    private static func film() throws -> String {
        let path = Sandbox.makeFolder() + "/IMG_0042.MOV"
        let input = ["-f", "lavfi", "-i", "testsrc2=s=1920x1080:r=10", "-f", "lavfi", "-i", "sine", "-t", "2"]
        let hevc = ["-c:v", "libx265", "-preset", "ultrafast", "-x265-params", "log-level=error"]
        let output = ["-pix_fmt", "yuv420p10le", "-tag:v", "hvc1", "-c:a", "aac", "-f", "mov", path]
        let program = try Program.run(["ffmpeg", "-v", "error", "-nostdin", "-y"] + input + hevc + output)
        try #require(program.status == 0, "\(program.complaint)")
        return path
    }

    private func preview(_ device: Device, _ id: String) throws -> HTTPAnswer {
        try device.send("GET", "/v2/recordings/\(id)/preview")
    }

    @Test(
        "A browser plays the preview of an uploaded phone video by ranges until its deletion",
        .inFull,
        .enabled(if: canMake, "ffmpeg is not installed")
    )
    func made() throws {
        let server = try ServerProcess(Self.arguments)
        defer { _ = try? server.stop() }
        let (device, stranger) = (try Device.new(server.client), try Device.new(server.client))
        let (id, film) = (UUID().uuidString, try Self.film())
        let bytes = try #require(FileManager.default.contents(atPath: film)).count
        let opened = try device.openUpload(id, bytes: bytes)
        let early = try preview(device, id)
        Problems.check(early, "404 preview-not-ready")
        #expect(early.field("retry-after").flatMap { Int($0) }.map { 30...40 ~= $0 } == true)
        let put = try Program.run(["curl", "-sS", "-f", "-T", film, opened.string("upload_url")])
        try #require(put.status == 0, "\(put.complaint)")
        #expect(try device.complete(id, Device.movie).status == 200)
        try Deadline.wait("the preview", seconds: 60) { try preview(device, id).status == 307 }
        Problems.check(try preview(stranger, id), "404 not-found")

        let link = try #require(try preview(device, id).field("location")?.components(separatedBy: "/v2/").last)
        let whole = try server.client.send("GET", "/v2/" + link)
        #expect(whole.status == 200 && whole.field("content-type") == "video/mp4")
        #expect(whole.field("accept-ranges") == "bytes" && whole.field("content-disposition") == nil)
        let tag = try #require(whole.field("etag"))
        let path = Sandbox.makeFolder() + "/preview.mp4"
        try Data(whole.body).write(to: URL(fileURLWithPath: path))
        let entries = ["-show_entries", "stream=codec_name,pix_fmt,width,height", "-of", "csv=p=0", path]
        #expect(try Program.run(["ffprobe", "-v", "error"] + entries).output == "h264,1280,720,yuv420p\naac\n")
        let part = try server.client.send("GET", "/v2/" + link, [("Range", "bytes=100-199"), ("If-Range", tag)])
        #expect(part.status == 206 && part.body == Array(whole.body[100..<200]))
        #expect(part.field("content-range") == "bytes 100-199/\(whole.body.count)" && part.field("etag") == tag)
        #expect(try server.client.send("GET", "/v2/" + link, [("If-None-Match", tag)]).status == 304)
        let altered = link.replacingOccurrences(of: "preview.", with: "content.")
        Problems.check(try server.client.send("GET", "/v2/" + altered), "404 not-found")
        // The preview belongs to the server, so no quota counts it. The thumbnail counts.
        let shown = try device.send("GET", "/v2/recordings/\(id)/thumbnail")
        let picture = try #require(shown.field("location")?.components(separatedBy: "/v2/").last)
        let used = bytes + (try server.client.send("GET", "/v2/" + picture).body.count)
        let quota = try device.send("GET", "/v2/account/quota").text
        #expect(quota.contains(#""used":\#(used),"#), "\(quota)")

        _ = try device.deleteRecording(id)
        Problems.check(try server.client.send("GET", "/v2/" + link), "404 not-found")
        Problems.check(try preview(device, id), "404 not-found")
        try Deadline.wait("the removal of the files", seconds: 20) {
            let files = FileManager.default.enumerator(atPath: server.data + "/objects")?.allObjects as? [String]
            return (files ?? []).allSatisfy { !$0.contains(".preview") }
        }
        let check = try Operator.run(["storage", "check", "--data", server.data])
        #expect(check.status == 0, "\(check.output)")
    }

    @Test("A lost preview is reported and made again; photos and ciphertext have none")
    func refused() throws {
        let device = try Shared.newDevice()
        Problems.check(try preview(device, device.addRecording()), "404 preview-unavailable")
        Problems.check(try preview(device, UUID().uuidString), "404 not-found")
        let server = try ServerProcess(
            ["--registration", "open", "--signatures", "optional", "--previews", "on", "--media-jobs", "0"]
        )
        defer { _ = try? server.stop() }
        let other = try Device.new(server.client)
        try checkLost(other, server)
        func recording(_ type: String, _ more: String = "") throws -> String {
            let id = UUID().uuidString
            let opened = try other.askForUpload(id, #"{"file_size":10,"content_type":"\#(type)"\#(more)}"#)
            #expect(opened.status == 200)
            return id
        }
        let envelope =
            #","encryption":{"scheme":"x","version":1,"wrapped_key":"a","key_id":"b","nonce_prefix":"c","segment_size":65536}"#
        Problems.check(try preview(other, recording("image/jpeg")), "404 preview-unavailable")
        Problems.check(try preview(other, recording("video/mp4", envelope)), "404 preview-unavailable")
        Problems.check(try preview(other, recording("video/mp4")), "404 preview-not-ready")
    }

    private func checkLost(_ device: Device, _ server: ServerProcess) throws {
        let id = UUID().uuidString
        _ = try device.openUpload(id, bytes: 3)
        try device.finishUpload(id, server)
        try device.storeFile(id, [1, 2, 3], server)
        #expect(try device.complete(id, Device.movie).status == 200)
        try server.sql("UPDATE recording_files SET has_preview = true, state = 'ready'")
        func check(_ words: String...) throws -> Program {
            try Operator.run(["storage", "check"] + words + ["--data", server.data])
        }
        #expect(try preview(device, id).status == 307)
        #expect(try check().output.contains("missing preview: "))
        #expect(try check("--repair").output.hasSuffix("differences: 1, mended\n"))
        #expect(try check().status == 0)
        Problems.check(try preview(device, id), "404 preview-not-ready")
    }
}
