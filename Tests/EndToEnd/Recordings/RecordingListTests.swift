import Foundation
import TestSupport
import Testing

@Suite("Lists of recordings", .blocking)
struct RecordingListTests {
    private static func metadata(_ minute: Int, _ more: String = "") -> String {
        #"{"filename":"\#(minute).mov","created_at":"2026-03-01T12:0\#(minute):00Z"\#(more)}"#
    }

    private func ids(_ answer: HTTPAnswer) -> [String] { answer.members("id", of: "recordings") }

    @Test("The pages of recordings together are the list, newest first, by cursor and by offset")
    func pages() throws {
        let device = try Shared.newDevice()
        let made = try [0, 3, 1, 3, 2].map { (minute: $0, id: try device.addRecording(Self.metadata($0))) }
        let order = made.sorted { ($0.minute, $0.id.lowercased()) > ($1.minute, $1.id.lowercased()) }.map(\.id)
        let all = try device.recordings()
        #expect(ids(all) == order)
        #expect(all.int("total") == 5 && all.int("limit") == 100)
        #expect(all.json["has_more"] as? Bool == false)
        #expect(all.raw("next") == "null")
        for limit in [1, 2, 4, 5, 1000, 5000] {
            var (found, query): ([String], String) = ([], "limit=\(limit)")
            var more = true
            while more, found.count <= 5 {
                let page = try device.recordings(query)
                found += ids(page)
                #expect(page.int("total") == 5 && page.int("limit") == min(limit, 1000))
                more = page.json["has_more"] as? Bool == true
                query = "limit=\(limit)&before=\(page.string("next"))"
            }
            #expect(found == order, "\(limit)")
            let byOffset = try stride(from: 0, to: 5, by: limit).flatMap {
                ids(try device.recordings("limit=\(limit)&offset=\($0)"))
            }
            #expect(byOffset == order, "\(limit)")
        }
        #expect(ids(try device.recordings("offset=5")).isEmpty)
        // Deltas continue from the list's token.
        let delta = try device.recordings("sync_token=\(all.string("sync_token"))")
        #expect(delta.rawElements("versions").isEmpty)
        #expect(delta.json["reset"] as? Bool == false)
    }

    @Test("Each filter of recordings applies to the pages and to the total")
    func filters() throws {
        let device = try Shared.newDevice()
        let sea = try device.addRecording(
            Self.metadata(1, #","video_format":"ProRes 422","tags":["sea",{"name":"dawn"}]"#),
            #","device_id":"phone""#
        )
        let land = try device.addRecording(
            Self.metadata(2, #","video_format":"H.265","tags":["land"]"#),
            #","device_id":"tablet""#
        )
        let none = try device.addRecording(Self.metadata(3))
        let upload = UUID().uuidString
        #expect(try device.openUpload(upload, #","device_id":"phone""#).status == 200)
        try Shared.server.get().sql("UPDATE recording_files SET state = 'ready' WHERE id = '\(none)'")
        for (query, expected) in [
            ("device_id=phone", [none, sea]), ("device_id=tablet", [land]), ("device_id=none", []), ("tag=dawn", [sea]),
            ("tag=sea", [sea]), ("tag=daw", []), ("video_format=H.265", [land]), ("video_format=ProRes%20422", [sea]),
            ("video_format=AV1", []), ("from=2026-03-01T12:02:00Z", [none, land]), ("to=2026-03-01T12:02:00Z", [sea]),
            ("from=2026-03-01T13:02:00+01:00&to=2026-03-01T12:03:00Z", [land]), ("state=pending", [land, sea]),
            ("state=ready", [none]), ("state=failed", []), ("state=processing", []), ("state=uploading", [upload]),
            ("state=uploading&device_id=phone", [upload]), ("state=uploading&device_id=tablet", []),
            ("state=uploading&tag=sea", []), ("tag=sea&device_id=tablet", []), ("", [none, land, sea]),
        ] {
            let answer = try device.recordings(query)
            #expect(ids(answer) == expected, "\(query)")
            #expect(answer.int("total") == expected.count, "\(query)")
            let page = try device.recordings(query + "&limit=1")
            #expect(ids(page) == Array(expected.prefix(1)), "\(query)")
            #expect(page.int("total") == expected.count, "\(query)")
        }
    }

    @Test("An incomplete upload is listed with its progress")
    func uploads() throws {
        let device = try Shared.newDevice()
        let uploads = (0..<3).map { _ in UUID().uuidString }
        for id in uploads { #expect(try device.openUpload(id).status == 200) }
        try Shared.server.get().sql(
            "UPDATE recording_files SET upload_offset = 7, asked_at = '2026-01-01T00:00:00Z' WHERE id = '\(uploads[0])'"
        )
        let first = try device.recordings("state=uploading&limit=2")
        #expect(first.int("total") == 3)
        let last = try device.recordings("state=uploading&limit=2&before=\(first.string("next"))")
        #expect(Set(ids(first) + ids(last)) == Set(uploads))
        let upload = try #require(last.objects("recordings").last)
        #expect(upload["id"] as? String == uploads[0])
        #expect(upload["upload_offset"] as? Int == 7)
        #expect(upload["file_size"] as? Int == 1000)
        #expect(upload["processing_status"] as? String == "uploading")
        #expect(upload["version"] == nil)
        #expect(upload["creation_date"] as? String == "2026-01-01T00:00:00Z", "the time of its request")
        #expect(upload["custom_tags"] as? [String: String] == [:] && upload["app_version"] as? String == "")
        #expect(try device.recordings().int("total") == 0)
    }

    @Test(
        "A list of recordings with malformed or conflicting parameters gets 400",
        arguments: [
            "before=1.11111111-2222-4333-8444-555555555555&offset=1", "sync_token=&offset=0", "sync_token=&tag=x",
            "seen=x", "sync_token=&before=1.11111111-2222-4333-8444-555555555555", "sync_token=&state=ready",
            "before=9223372036854775807.11111111-2222-4333-8444-555555555555",
            "before=-9223372036854775808.11111111-2222-4333-8444-555555555555",
            "before=.11111111-2222-4333-8444-555555555555", "before=1.1", "offset=1000001", "offset=",
        ]
    )
    func refused(query: String) throws {
        Problems.check(try Shared.device().recordings(query), "400 invalid-parameter")
    }

    @Test("A page of recordings ends before its documents become too large, and the next one continues")
    func largeDocuments() throws {
        let device = try Shared.newDevice()
        let text = String(repeating: "x", count: 60_000)
        let ids = try (10..<90).map { number in
            try device.addRecording(
                #"{"filename":"A.mov","created_at":"2026-03-01T12:00:00.\#(number)Z","note":"\#(text)"}"#
            )
        }
        var (found, query, pages): ([String], String, Int) = ([], "limit=100", 0)
        while true {
            let page = try device.recordings(query)
            #expect(page.body.count < 4 << 20)
            #expect(page.int("total") == ids.count)
            found += page.members("id", of: "recordings") as [String]
            pages += 1
            guard page.json["has_more"] as? Bool == true else { break }
            query = "limit=100&before=" + page.string("next")
        }
        #expect(found == ids.reversed())
        #expect(pages == 3)
        let behind = try device.recordings("limit=100&offset=75")
        #expect(self.ids(behind) == ids.prefix(5).reversed(), "what was left out takes no room")
        #expect(behind.json["has_more"] as? Bool == false)
    }
}
