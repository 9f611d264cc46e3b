import Foundation
import TestSupport
import Testing

@Suite("Writes of recordings", .blocking)
struct RecordingWriteTests {
    @Test("A write with another version in If-Match gets 412 with the current recording")
    func conditions() throws {
        let device = try Shared.device()
        let id = try device.addRecording()
        let first = try device.recording(id)
        #expect(try device.patchRecording(id, #"{"filename":"B.mov"}"#, first.ifMatch).version == 2)
        let current = try device.recording(id)
        for answer in [
            try device.patchRecording(id, #"{"filename":"C.mov"}"#, first.ifMatch),
            try device.deleteRecording(id, first.ifMatch),
            try device.deleteRecording(id, [("If-None-Match", "*")]),
        ] {
            Problems.check(answer, "412 version-mismatch")
            #expect(answer.tag == current.tag)
            #expect(answer.raw("current") == current.text)
            #expect(answer.field("sync-head") != nil)
        }
        #expect(try device.recording(id).text == current.text)
        Problems.check(try device.recording(id, first.ifMatch), "412 version-mismatch")
        #expect(try device.deleteRecording(id, current.ifMatch).status == 200)
    }

    @Test("A repeated write of a recording gets the same answer, also after other writes")
    func retries() throws {
        let phone = try Shared.newDevice()
        let tablet = try Shared.session(of: phone, on: "tablet")
        let id = try phone.addRecording(#"{"filename":"A.mov","created_at":"2026-03-01T12:00:00Z","tags":["first"]}"#)
        let completed = try phone.recording(id)
        #expect(try tablet.patchRecording(id, #"{"tags":["second"]}"#).version == 2)
        let retried = try phone.complete(
            id,
            #"{"tags":["first"],"created_at":"2026-03-01T12:00:00Z","filename":"A.mov"}"#
        )
        #expect(retried.status == 200)
        #expect(retried.tag == completed.tag)
        // The retry did not bring the old tags back into the lists.
        #expect(try phone.recordings("tag=second").int("total") == 1)
        #expect(try phone.recordings("tag=first").int("total") == 0)

        let patched = try phone.patchRecording(id, #"{"tags":["third"]}"#)
        #expect(patched.version == 3)
        #expect(try tablet.patchRecording(id, #"{"tags":["fourth"]}"#).version == 4)
        let again = try phone.patchRecording(id, #"{"tags":["third"]}"#)
        #expect(again.tag == patched.tag && again.text == patched.text)
        #expect(try phone.recordings("tag=fourth").int("total") == 1)
        #expect(try phone.recording(id).version == 4)
    }

    @Test("Completing a recording again with other metadata gets 409 with the recording")
    func completedOtherwise() throws {
        let device = try Shared.device()
        let id = try device.addRecording()
        let answer = try device.complete(id, #"{"filename":"B.mov","created_at":"2026-03-01T12:00:00Z"}"#)
        Problems.check(answer, "409 recording-exists")
        #expect(answer.raw("current") == (try device.recording(id).text))
    }

    @Test(
        "A patch of a recording whose result breaks the schema gets 422 and changes nothing",
        arguments: [
            (#"{"created_at":null,"creation_date":null}"#, "/creation_date required"),
            (#"{"created_at":"2026-02-30T00:00:00Z"}"#, "/created_at format"), (#"{"tags":[""]}"#, "/tags/0 oneOf"),
            (#"{"created_at":"2026-03-02T12:00:00Z","creation_date":"2026-03-03T12:00:00Z"}"#, "/creation_date const"),
            (#"{"location":{"latitude":1}}"#, "/location/longitude required"), ("[]", " type"), ("null", " type"),
            (#"{"frame_rate":0}"#, "/frame_rate exclusiveMinimum"),
            (#"{"custom_tags":{"a":1}}"#, "/custom_tags/a type"),
        ]
    )
    func invalidPatch(patch: String, violation: String) throws {
        let device = try Shared.device()
        let id = try device.addRecording()
        let before = try device.recording(id).text
        let answer = try device.patchRecording(id, patch)
        Problems.check(answer, "422 invalid-document")
        let errors = answer.json["errors"] as? [[String: Any]] ?? []
        let found = errors.map { "\($0["pointer"] as? String ?? "?") \($0["keyword"] as? String ?? "?")" }
        #expect(found.contains(violation), "\(found)")
        #expect(try device.recording(id).text == before)
    }

    @Test("A patch of a recording merges objects, removes null members, and updates filtered lists")
    func patch() throws {
        let device = try Shared.newDevice()
        let id = try device.addRecording(
            #"{"filename":"A.mov","created_at":"2026-03-01T12:00:00Z","custom_tags":{"a":"1","b":"2"},"x":1}"#
        )
        let patch =
            #"{"custom_tags":{"a":null,"c":"3"},"x":null,"created_at":"2020-01-01T00:00:00Z","video_format":"AV1"}"#
        #expect(try device.patchRecording(id, patch).version == 2)
        let read = try device.recording(id)
        #expect(read.raw("custom_tags") == #"{"b":"2","c":"3"}"#)
        #expect(read.raw("x") == nil)
        #expect(read.string("creation_date") == "2020-01-01T00:00:00Z")
        #expect(try device.recordings("to=2020-01-02T00:00:00Z&video_format=AV1").int("total") == 1)
        #expect(try device.recordings("from=2026-01-01T00:00:00Z").int("total") == 0)
        let moved = #"{"creation_date":"2021-01-01T00:00:00.5Z","created_at":"2020-01-01T00:00:00Z","filename":null}"#
        #expect(try device.patchRecording(id, moved).version == 3)
        let again = try device.recording(id)
        #expect(again.string("created_at") == "2021-01-01T00:00:00.5Z")
        #expect(again.string("filename") == "2021-01-01T00-00-00Z.mov")
        // An upload has nothing to patch yet.
        let upload = UUID().uuidString
        #expect(try device.openUpload(upload).status == 200)
        Problems.check(try device.patchRecording(upload, #"{"filename":"B.mov"}"#), "404 not-found")
    }

    @Test("A recording's metadata over 64 KiB is refused in a body and as the result of a patch")
    func sizes() throws {
        let device = try Shared.newDevice()
        let half = String(repeating: "x", count: 40 << 10)
        let id = try device.addRecording(
            #"{"filename":"A.mov","created_at":"2026-03-01T12:00:00Z","one":"\#(half)"}"#
        )
        let stored = try device.recording(id)
        let twice = #"{"two":"\#(half)","three":"\#(half)"}"#
        for patch in [#"{"two":"\#(half)"}"#, twice] {
            Problems.check(try device.patchRecording(id, patch), "413 body-too-large")
        }
        #expect(try device.recording(id).text == stored.text)
        #expect(try device.patchRecording(id, #"{"one":null,"two":"\#(half)"}"#).status == 200)
    }

    @Test("An upload URL for a taken id gets 409, and the same open upload gets the same URL")
    func takenIDs() throws {
        let (device, id) = (try Shared.device(), UUID().uuidString)
        let opened = try device.openUpload(id)
        #expect(try device.openUpload(id).text == opened.text)
        #expect(try device.openUpload(id, #","device_id":null"#).text == opened.text)
        for other in [
            try device.openUpload(id, bytes: 1001), try device.openUpload(id, #","device_id":"camera""#),
            try device.askForUpload(id, #"{"file_size":1000,"content_type":"video/mp4"}"#),
        ] {
            Problems.check(other, "409 recording-exists")
            #expect(other.raw("current") == "null" && other.raw("version") == "null")
        }
        let spelled = #"{"file_size":1000,"content_type":"VIDEO/QuickTime; x=1"}"#
        #expect(try device.askForUpload(id, spelled).text == opened.text)
        try device.finishUpload(id, Shared.server.get())
        #expect(try device.openUpload(id).text.contains(#""upload_offset":1000"#))
        #expect(try device.complete(id, Device.movie).status == 200)
        let taken = try device.openUpload(id)
        Problems.check(taken, "409 recording-exists")
        #expect(taken.raw("current") == (try device.recording(id).text))
    }

    @Test("A cancelled upload is gone, its id stays used, and the cancellation can be repeated")
    func cancelled() throws {
        let (device, id) = (try Shared.newDevice(), UUID().uuidString)
        #expect(try device.openUpload(id.lowercased()).status == 200)
        Problems.check(try device.deleteRecording(id, [("If-Match", "*")]), "412 version-mismatch")
        let deleted = try device.deleteRecording(id)
        #expect(deleted.status == 200)
        #expect(try device.deleteRecording(id).text == deleted.text)
        Problems.check(try device.openUpload(id), "409 recording-deleted")
        Problems.check(try device.complete(id, Device.movie), "404 not-found")
        #expect(try device.recordings("sync_token=").rawElements("deleted") == ["\"\(id.lowercased())\""])
        Problems.check(try device.deleteRecording(UUID().uuidString), "404 not-found")
    }

    @Test(
        "An upload's size and digest are accepted up to their limits",
        arguments: [
            (#"{"file_size":1,"content_type":"image/heic"}"#, nil),
            (#"{"file_size":1e3,"content_type":"video/mp4"}"#, nil),
            (#"{"file_size":1000.0,"content_type":"video/mp4","x":1}"#, nil),
            (
                #"{"file_size":1,"content_type":"video/mp4","sha256":"47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="}"#,
                nil
            ),
            (#"{"file_size":1,"content_type":"audio/x-m4a"}"#, nil),
            (#"{"file_size":1,"content_type":"Video/MP4; codecs=\"avc1\""}"#, nil),
            (#"{"file_size":1,"content_type":7}"#, "/content_type type"),
            (#"{"file_size":0,"content_type":"video/mp4"}"#, "/file_size minimum"),
            (#"{"file_size":17592186044417,"content_type":"video/mp4"}"#, "/file_size maximum"),
            (#"{"file_size":1.5,"content_type":"video/mp4"}"#, "/file_size type"),
            (#"{"file_size":1,"content_type":"text/html"}"#, "/content_type enum"),
            (#"{"file_size":1,"content_type":"video/mp4","device_id":""}"#, "/device_id minLength"),
            (#"{"file_size":1,"content_type":"video/mp4","configuration_id":"1"}"#, "/configuration_id format"),
            (#"{"file_size":1,"content_type":"video/mp4","encryption":{}}"#, "/encryption/scheme required"),
        ]
            + [
                "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFV=", "47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU=",
                "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFUA", "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSu===",
            ].map { (#"{"file_size":1,"content_type":"video/mp4","sha256":"\#($0)"}"#, "/sha256 format") }
    )
    func uploadRequests(body: String, violation: String?) throws {
        let answer = try Shared.device().askForUpload(UUID().uuidString, body)
        guard let violation else {
            #expect(answer.status == 200, "\(answer.text)")
            return
        }
        Problems.check(answer, "422 invalid-document")
        let errors = answer.json["errors"] as? [[String: Any]] ?? []
        let found = errors.map { "\($0["pointer"] as? String ?? "?") \($0["keyword"] as? String ?? "?")" }
        #expect(found.contains(violation), "\(found)")
    }

    @Test("An encryption envelope with unknown members is accepted up to 16,384 bytes")
    func envelopes() throws {
        let known = #""scheme":"x","version":1,"wrapped_key":"a","key_id":"b","nonce_prefix":"c","segment_size":65536"#
        let start = #"{\#(known),"unknown":""#
        for (bytes, status) in [(16384, 200), (16385, 422)] {
            let filler = String(repeating: "x", count: bytes - start.utf8.count - 2)
            let body = #"{"file_size":1,"content_type":"video/mp4","encryption":\#(start)\#(filler)"}}"#
            #expect(try Shared.device().askForUpload(UUID().uuidString, body).status == status)
        }
    }

    @Test("A signed write of a recording is accepted once, also if it is refused")
    func nonces() throws {
        let device = try Shared.newDevice()
        let (origin, unknown) = (device.client.origin, UUID().uuidString)
        let taken = UUID().uuidString
        #expect(try device.openUpload(taken).status == 200)
        let movie = #"{"file_size":5,"content_type":"video/mp4"}"#
        for (method, path, type, body, verdict) in [
            ("POST", "\(unknown)/complete", "application/json", #"{"metadata":\#(Device.movie)}"#, "404 not-found"),
            (
                "POST", "\(taken)/complete", "application/json", #"{"metadata":\#(Device.movie)}"#,
                "409 upload-incomplete"
            ),
            ("POST", "\(taken)/upload-url", "application/json", movie, "409 recording-exists"),
            ("PATCH", unknown, "application/merge-patch+json", "{}", "404 not-found"),
            ("DELETE", unknown, "application/json", "", "404 not-found"),
        ] {
            let target = "/v2/recordings/\(path)"
            let fields = try device.signature(method, origin + target, body: body) + [("Content-Type", type)]
            let sent = body.isEmpty ? nil : body
            Problems.check(try device.send(method, target, fields, body: sent), verdict)
            Problems.check(try device.send(method, target, fields, body: sent), "401 nonce-used")
        }
    }

    @Test("A recording that is completed and deleted at once is deleted, also in lists and deltas")
    func race() async throws {
        let device = try Shared.newDevice()
        for _ in 0..<20 {
            let id = UUID().uuidString
            #expect(try device.openUpload(id).status == 200)
            try device.finishUpload(id, Shared.server.get())
            async let completed = onThread { try device.complete(id, Device.movie) }
            async let deleted = onThread { try device.deleteRecording(id) }
            let (first, second) = try await (completed, deleted)
            #expect(["200", "404 not-found"].contains(first.verdict))
            #expect(second.status == 200)
            Problems.check(try device.recording(id), "404 not-found")
            #expect(second.version == (first.status == 200 ? 2 : 1))
        }
        #expect(try device.recordings().int("total") == 0)
        let all = try device.recordings("sync_token=")
        #expect(all.rawElements("recordings").isEmpty)
        #expect(all.rawElements("deleted").count == 20)
        let left = try Shared.server.get().sql(
            "SELECT count(*) FROM recording_files WHERE user_id = '\(device.userID)'"
        )
        #expect(left == ["0"])
    }

    @Test("Twelve devices that request the same upload at once get the same URL")
    func sameUpload() async throws {
        let (device, id) = (try Shared.newDevice(), UUID().uuidString)
        let answers = try await withThrowingTaskGroup(of: HTTPAnswer.self) { group in
            for _ in 0..<12 { group.addTask { try await onThread { try device.openUpload(id) } } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(Set(answers.map(\.text)).count == 1)
        #expect(answers.allSatisfy { $0.status == 200 })
    }
}
