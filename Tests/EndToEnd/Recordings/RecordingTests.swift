import Foundation
import TestSupport
import Testing

@Suite("Recordings", .blocking)
struct RecordingTests {
    @Test("With several public URLs, Location, upload_url and thumbnail_url have the host of their request")
    func severalURLs() throws {
        let origins = ["https://cloud.example.org", "http://cloud.lan:8080"]
        let urls = origins.map { $0 + "/v2" }
        // The server leaves recordings without uploaded bytes unchanged.
        let settings = ["--registration", "open", "--signatures", "optional", "--media-jobs", "0"]
        let server = try ServerProcess(settings + ["--public-url", urls.joined(separator: ",")])
        defer { _ = try? server.stop() }
        let port = server.client.port
        for (origin, url) in zip(origins, urls) {
            let device = try Device.new(APIClient(port: port, origin: origin, of: server))
            let (preset, id) = (Preset(), UUID().uuidString)
            let made = try device.post(preset.json)
            #expect(made.field("location") == "\(url)/configurations/\(preset.id)")
            let opened = try device.openUpload(id)
            for name in ["upload_url", "location"] { #expect(opened.string(name).hasPrefix("\(url)/uploads/")) }
            try device.finishUpload(id, server)
            let completed = try device.complete(id, Device.movie)
            #expect(completed.string("thumbnail_url").hasPrefix("\(url)/downloads/"))
            #expect(try device.recording(id).string("thumbnail_url").hasPrefix("\(url)/downloads/"))
            let link = try device.send("GET", "/v2/recordings/\(id)/content").field("location")
            #expect(link?.hasPrefix("\(url)/downloads/") == true)
        }
    }

    @Test("A recording is requested, completed, read, changed and deleted")
    func life() throws {
        let (device, id) = (try Shared.newDevice(), UUID().uuidString)
        let opened = try device.openUpload(id, #","device_id":"phone""#)
        #expect(opened.status == 200)
        #expect(opened.int("upload_offset") == 0)
        #expect(opened.string("upload_url").contains("/v2/uploads/"))
        Problems.check(try device.recording(id), "404 not-found")

        let early = try device.complete(id, Device.movie)
        Problems.check(early, "409 upload-incomplete")
        #expect(early.int("upload_offset") == 0)
        #expect(early.int("file_size") == 1000)
        #expect(early.field("sync-head") != nil)

        try device.finishUpload(id, Shared.server.get())
        let completed = try device.complete(id, Device.movie)
        #expect(completed.status == 200)
        #expect(completed.string("processing_status") == "pending")
        #expect(completed.string("thumbnail_url").contains("/v2/downloads/thumbnail."))
        #expect(completed.version == 1)

        let read = try device.recording(id)
        #expect(read.tag == completed.tag)
        #expect(read.string("version") == completed.tag)
        #expect(read.string("filename") == "A.mov")
        #expect(read.string("device_id") == "phone")
        #expect(read.string("content_type") == "video/quicktime")
        #expect(try device.recording(id, [("If-None-Match", "\"\(read.tag)\"")]).status == 304)

        let patched = try device.patchRecording(id, #"{"filename":"B.mov"}"#, read.ifMatch)
        #expect(patched.version == 2)
        #expect(try device.recording(id).string("filename") == "B.mov")

        let deleted = try device.deleteRecording(id)
        #expect(deleted.status == 200)
        #expect(try device.deleteRecording(id).text == deleted.text)
        Problems.check(try device.recording(id), "404 not-found")
        Problems.check(try device.complete(id, Device.movie), "404 not-found")
        let taken = try device.openUpload(id)
        Problems.check(taken, "409 recording-deleted")
        #expect(taken.version == 3)
    }

    @Test(
        "A recording's metadata is stored as sent, with unknown members",
        arguments: [
            #""tags":["sea","dawn"]"#, #""tags":[{"name":"sea","color":"blue"},{"name":"dawn"}]"#,
            #""tags":["sea",{"name":"dawn","color":null,"x":[1]}]"#,
            #""unknown":{"a":[1,null,"é"]},"frame_rate":29.970"#,
            #""location":null,"custom_tags":{"a":"b"}"#,
            #""location":{"latitude":-90,"longitude":180.0,"altitude":-430.5e0,"accuracy":5}"#,
            #""duration":604800,"frame_rate":1000,"file_size":9007199254740993,"camera_position":"external""#,
            #""camera_position":2,"exposure_settings":{"iso":102400,"shutter_speed":1e-6,"mode":"bulb","x":null}"#,
            #""duration":null,"file_size":null,"video_format":null,"resolution":null,"frame_rate":null,"tags":null"#,
        ]
    )
    func metadata(members: String) throws {
        let device = try Shared.device()
        let text = #"{"filename":"A.mov","created_at":"2026-03-01T12:00:00.5+01:00",\#(members)}"#
        let id = try device.addRecording(text)
        let read = try device.recording(id)
        // The sent members follow the id as one block.
        #expect(read.text.hasPrefix(#"{"id":"\#(id)",\#(text.dropFirst().dropLast()),"#), "\(read.text)")
        #expect(try device.complete(id, text).tag == read.tag)
    }

    @Test("The specification's metadata complete a recording, and every answer with it has them")
    func specification() throws {
        let (device, id) = (try Shared.newDevice(), UUID().uuidString)
        let sent =
            #""creation_date":"2026-03-01T12:00:00Z","device_model":"iPhone 15 Pro","app_version":"2.0","#
            + #""camera_position":"back","custom_tags":{"scene":"1"}"#
        try device.addRecording("{\(sent)}", id: id)
        let read = try device.recording(id).text
        #expect(read.hasPrefix(#"{"id":"\#(id)",\#(sent),"filename":"2026-03-01T12-00-00Z.mov","#), "\(read)")
        #expect(try device.recordings("limit=10&offset=0").rawElements("recordings") == [read])
        #expect(try device.recordings("sync_token=").rawElements("recordings") == [read])
    }

    @Test("Members of a recording that only the server writes are ignored in metadata and patches")
    func serverMembers() throws {
        let device = try Shared.device()
        let claims =
            #""id":5,"version":"9-000000000000","processing_status":"ready","sha256":"x","receipt":{},"thumbnail_url":null"#
        let id = try device.addRecording(#"{"filename":"A.mov","created_at":"2026-03-01T12:00:00Z",\#(claims)}"#)
        let read = try device.recording(id)
        #expect(read.string("id") == id)
        #expect(read.string("processing_status") == "pending")
        #expect(read.raw("sha256") == "null" && read.raw("receipt") == "null")
        let patched = try device.patchRecording(id, #"{\#(claims),"device_id":"x","probe":{}}"#)
        #expect(patched.tag == read.tag, "nothing has changed")
        #expect(try device.recording(id).text == read.text)
        // A client may send back the document that it got.
        #expect(try device.patchRecording(id, read.text).tag == read.tag)
    }

    @Test(
        "A recording's metadata that breaks the schema gets 422 with a pointer",
        arguments: [
            (#"{"filename":"A.mov"}"#, "/metadata/creation_date required"),
            (#"{"filename":"A.mov","creation_date":null}"#, "/metadata/creation_date type"),
            (
                #"{"created_at":"2026-03-01T12:00:00Z","creation_date":"2026-03-01T12:00:01Z"}"#,
                "/metadata/creation_date const"
            ),
            (#"{"creation_date":"2026-03-01T12:00:00Z","camera_position":1.5}"#, "/metadata/camera_position oneOf"),
            (#"{"filename":"","created_at":"2026-03-01T12:00:00Z"}"#, "/metadata/filename minLength"),
            (#"{"filename":"A.mov","created_at":"yesterday"}"#, "/metadata/created_at format"),
            (#"{"filename":"A.mov","created_at":"2026-03-01T12:00:00Z","duration":-1}"#, "/metadata/duration minimum"),
            (
                #"{"filename":"A.mov","created_at":"2026-03-01T12:00:00Z","location":{"latitude":90.5,"longitude":0}}"#,
                "/metadata/location/latitude maximum"
            ),
            (
                #"{"filename":"A.mov","created_at":"2026-03-01T12:00:00Z","tags":[{"color":"x"}]}"#,
                "/metadata/tags/0 oneOf"
            ),
            (
                #"{"filename":"A.mov","created_at":"2026-03-01T12:00:00Z","video_format":"VHS"}"#,
                "/metadata/video_format enum"
            ),
        ]
    )
    func invalid(metadata: String, violation: String) throws {
        let (device, id) = (try Shared.device(), UUID().uuidString)
        #expect(try device.openUpload(id).status == 200)
        try device.finishUpload(id, Shared.server.get())
        let answer = try device.complete(id, metadata)
        Problems.check(answer, "422 invalid-document")
        let errors = answer.json["errors"] as? [[String: Any]] ?? []
        let found = errors.map { "\($0["pointer"] as? String ?? "?") \($0["keyword"] as? String ?? "?")" }
        #expect(found.contains(violation), "\(found)")
        Problems.check(try device.recording(id), "404 not-found")
    }

    @Test("Recordings at the ends of the calendar are stored, listed and used as cursors")
    func times() throws {
        let device = try Shared.newDevice()
        let times = [
            "9999-12-31T23:59:59-23:59", "2026-03-01T12:00:00Z", "1969-12-31T23:59:59.5Z", "0000-01-01T00:00:00+23:59",
        ]
        let ids = try times.map { try device.addRecording(#"{"filename":"A.mov","created_at":"\#($0)"}"#) }
        var (found, query): ([String], String) = ([], "limit=1")
        for _ in ids {
            let page = try device.recordings(query)
            #expect(page.status == 200, "\(page.text)")
            found += page.members("id", of: "recordings")
            query = "limit=1&before=\(page.string("next"))"
        }
        #expect(found == ids)
    }

    @Test("A recording's id keeps its first spelling in every answer")
    func spelling() throws {
        let (device, id) = (try Shared.device(), UUID().uuidString)
        let opened = try device.openUpload(id.lowercased())
        #expect(try device.openUpload(id).text == opened.text)
        try device.finishUpload(id, Shared.server.get())
        #expect(try device.complete(id, Device.movie).status == 200)
        let read = try device.recording(id)
        #expect(read.string("id") == id.lowercased())
        #expect(try device.recording(id.lowercased()).text == read.text)
        #expect(try device.complete(id.lowercased(), Device.movie).tag == read.tag)
        #expect(try device.deleteRecording(id).text == device.deleteRecording(id.lowercased()).text)
    }

    @Test("A recording names an existing configuration version, and has null for an unknown one")
    func configurationVersions() throws {
        let (device, preset) = (try Shared.newDevice(), Preset())
        let tag = try device.post(preset.json).tag
        func version(_ tag: String, of id: String = preset.id) throws -> (id: String?, version: String?) {
            let members = #","configuration_id":"\#(id)","configuration_version":"\#(tag)""#
            let recording = try device.addRecording(id: UUID().uuidString, members)
            // A second request for the same upload finds its recording.
            Problems.check(try device.openUpload(recording, members), "409 recording-exists")
            let read = try device.recording(recording)
            return (read.json["configuration_id"] as? String, read.json["configuration_version"] as? String)
        }
        #expect(try version(tag) == (preset.id.lowercased(), tag))
        for lost in ["1-000000000000", "2\(tag.dropFirst())", "1", "x", ""] {
            #expect(try version(lost) == (preset.id.lowercased(), nil), "\(lost)")
        }
        let unknown = UUID().uuidString
        #expect(try version(tag, of: unknown) == (unknown.lowercased(), nil))
        let members = #","configuration_id":"\#(preset.id)","configuration_version":"1-000000000000""#
        let id = UUID().uuidString
        #expect(try device.openUpload(id, members).text == device.openUpload(id, members).text)
    }

    @Test("A recording names its configuration's version while it exists; its upload stays the same")
    func configurationVersionsLater() throws {
        let (server, device, preset) = (try Shared.server.get(), try Shared.newDevice(), Preset())
        let tag = try device.post(preset.json).tag
        let version = "user_id = '\(device.userID)' AND id = '\(preset.id)'"
        let chain = try #require(
            try server.sql("SELECT encode(chain, 'hex') FROM configuration_versions WHERE \(version)").first
        )
        func setChain(_ digits: String) throws {
            try server.sql("UPDATE configuration_versions SET chain = decode('\(digits)', 'hex') WHERE \(version)")
        }
        let members = #","configuration_id":"\#(preset.id)","configuration_version":"\#(tag)""#
        let (early, late) = (UUID().uuidString, UUID().uuidString)
        let lateAnswer = try device.openUpload(late, members).text
        try setChain(String(repeating: "0", count: chain.count))
        let earlyAnswer = try device.openUpload(early, members).text
        #expect(try device.openUpload(late, members).text == lateAnswer)
        let unknown: [String] = try device.recordings("state=uploading").members(
            "configuration_version",
            of: "recordings"
        )
        #expect(unknown.isEmpty)
        try setChain(chain)
        #expect(try device.openUpload(early, members).text == earlyAnswer)
        let known: [String] = try device.recordings("state=uploading").members(
            "configuration_version",
            of: "recordings"
        )
        #expect(known == [tag, tag])
        try device.finishUpload(early, server)
        #expect(try device.complete(early, Device.movie).status == 200)
        #expect(try device.recording(early).string("configuration_version") == tag)
    }
}
