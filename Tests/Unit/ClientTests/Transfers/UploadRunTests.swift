import Foundation
import NeuroViewsCrypto
import NeuroViewsJSON
import NeuroViewsRules
import TestSupport
import Testing

@testable import NeuroViewsClient

@Suite("Uploads", .blocking, .timeLimit(.minutes(Patience.minutes(2))))
struct UploadRunTests {
    @Test("A file goes through all states to done, in one PATCH, and its SHA-256 goes with the first request")
    func whole() async throws {
        let fixture = try UploadFixture()
        let row = try await fixture.run()
        #expect(fixture.phases == [.hashing, .queued, .sending, .completing, .verifying, .done])
        #expect(row.sha256 == SHA256.hash(fixture.content) && row.sent == row.identity.size)
        #expect(fixture.uploads.state.withLock { $0.stored } == fixture.content)
        #expect(fixture.uploads.requests("PATCH").count == 1 && fixture.uploads.requests("HEAD").isEmpty)
        let wish = try #require(fixture.uploads.state.withLock { $0.calls.first?.body })
        #expect(wish["sha256"]?.string == Base64.padded.encode(SHA256.hash(fixture.content)))
        #expect(wish["content_type"]?.string == "video/mp4")
        let metadata = fixture.uploads.state.withLock { state in
            state.calls.first { $0.path.hasSuffix("complete") }?.body
        }
        #expect(metadata?["metadata"]?["filename"]?.string == "a.mp4")
        #expect(metadata?["metadata"]?["creation_date"]?.string == "2023-11-14T22:13:20Z")
    }

    @Test("A connection that is cut 20 times costs no byte that the server has")
    func cuts() async throws {
        let fixture = try UploadFixture(bytes: 4_000_000) { state in
            state.cuts = (1...20).map { $0 * 9_000 }
            state.lostBytes = 1000
        }
        let row = try await fixture.run()
        #expect(row.phase == .done)
        #expect(fixture.uploads.state.withLock { $0.stored } == fixture.content)
        #expect(fixture.uploads.state.withLock { $0.sentBytes } <= 4_040_000)
        // Each PATCH begins where the server said: none is refused.
        #expect(fixture.uploads.requests("PATCH").count == 21 && fixture.uploads.requests("HEAD").count == 20)
        #expect(fixture.phases == [.hashing, .queued, .sending, .completing, .verifying, .done])
    }

    @Test("A connection to a store that is cut 20 times costs a part each time at most")
    func cutParts() async throws {
        let fixture = try UploadFixture(bytes: 4_000_000) { state in
            state.partSize = 100_000
            state.cuts = (0..<20).map { $0 * 4_000 }
        }
        #expect(try await fixture.run().phase == .done)
        #expect(fixture.uploads.state.withLock { $0.joined } == fixture.content)
        #expect(fixture.uploads.state.withLock { $0.sentBytes } <= 6_040_000)
        let types = fixture.uploads.requests("PUT").map { $0.fields["Content-Type"] }
        #expect(types.allSatisfy { $0 == "video/mp4" })
    }

    @Test("After a restart the server says where to go on, whatever the device has stored")
    func restart() async throws {
        let fixture = try UploadFixture { $0.cuts = [60_000] }
        fixture.uploads.state.withLock { $0.faults = [("HEAD", .of(500))] }
        // The app ends in the pause.
        _ = try? await fixture.run { row in if row.phase == .waiting { fixture.store.close() } }
        try fixture.reopen()
        #expect(try fixture.stored.phase == .waiting)
        try fixture.change { $0.sent = 5 }
        #expect(try await fixture.run().phase == .done)
        let offsets = fixture.uploads.requests("PATCH").compactMap { $0.fields["Upload-Offset"] }
        #expect(offsets == ["0", "60000"])
        #expect(fixture.uploads.state.withLock { $0.stored } == fixture.content)
    }

    @Test("A part size goes with each request for URLs, also after a restart")
    func partSize() async throws {
        let fixture = try UploadFixture { state in
            (state.partSize, state.cuts) = (50_000, [10_000, 10_000, 10_000, 10_000])
        }
        try fixture.change { $0.partSize = 50_000 }
        _ = try? await fixture.run { row in if row.phase == .waiting { fixture.store.close() } }
        try fixture.reopen()
        #expect(try await fixture.run().phase == .done)
        let wishes = fixture.uploads.state.withLock { state in
            state.calls.filter { $0.path.hasSuffix("upload-url") }.map { $0.body?["part_size"]?.number?.int64 }
        }
        #expect(wishes.count > 1 && wishes.allSatisfy { $0 == 50_000 })
        for (size, file) in [(5 << 20, 1), (5 << 30, 1), (6 << 20, 60_000 << 20)] as [(Int64, Int64)] {
            #expect(throws: Never.self) { try PartSender.check(size, ofFile: file) }
        }
        for (size, file) in [((5 << 20) - 1, 1), ((5 << 30) + 1, 1), (5 << 20, 60_000 << 20)] as [(Int64, Int64)] {
            #expect(throws: ClientError.self) { try PartSender.check(size, ofFile: file) }
        }
    }

    @Test("A refused offset is asked for, and sending goes on there")
    func otherOffset() async throws {
        let fixture = try UploadFixture()
        let start = Array(fixture.content.prefix(70_000))
        // The server reports less than it has.
        fixture.uploads.state.withLock { state in
            (state.stored, state.size) = (start, 200_000)
            state.refusals = [("upload-url", .grant(offset: 0))]
        }
        #expect(try await fixture.run().phase == .done)
        #expect(fixture.uploads.requests("PATCH").map(\.bodyBytes) == [200_000, 130_000])
        #expect(fixture.uploads.state.withLock { $0.stored } == fixture.content)
    }

    @Test("A URL that is over is asked for anew at once", arguments: [404, 410])
    func gone(status: Int) async throws {
        let fixture = try UploadFixture { $0.faults = [("PATCH", .of(status))] }
        #expect(try await fixture.run().phase == .done)
        #expect(fixture.uploads.calls("upload-url") == 2)
        #expect(!fixture.phases.contains(.waiting))
    }

    @Test("A URL of a part that is over is asked for anew", arguments: [403, 404])
    func gonePart(status: Int) async throws {
        let fixture = try UploadFixture { state in
            state.partSize = 50_000
            state.faults = [("PUT", .of(status)), ("PUT", .of(status)), ("PUT", .of(status))]
        }
        #expect(try await fixture.run().phase == .done)
        #expect(!fixture.phases.contains(.waiting))
        #expect(fixture.uploads.state.withLock { $0.joined } == fixture.content)
    }

    @Test("A store that forgets what it took does not get it without a pause")
    func forgetfulStore() async throws {
        let fixture = try UploadFixture { $0.partSize = 200_000 }
        fixture.uploads.state.withLock { state in state.faults = [("PUT", .of(200))] }
        #expect(try await fixture.run().phase == .done)
        #expect(fixture.phases.contains(.waiting))
    }

    @Test("A server that is away makes the upload wait, with its own pause if it names one")
    func away() async throws {
        let fixture = try UploadFixture { state in
            state.failures = [
                ("upload-url", .offline(.unknownHost("x"))), ("upload-url", .tryLater(nil, seconds: 77)),
                ("complete", .offline(.cut("x"))), ("complete", .unexpectedAnswer("a portal")),
            ]
        }
        #expect(try await fixture.run().phase == .done)
        #expect(fixture.pauses.contains(77_000), "the server's own")
        #expect(fixture.pauses.filter { $0 > 0 && $0 != 77_000 } == [1000, 1000, 2000, 1000])
        #expect(fixture.reasons.count == 4 && fixture.uploads.calls("complete") == 3)
        let bodies = fixture.uploads.state.withLock { state in
            state.calls.filter { $0.path.hasSuffix("complete") }.map(\.body)
        }
        #expect(Set(bodies).count == 1, "a completion is repeated as it was")
    }

    @Test("A server with every byte and no end of the file gets an empty PATCH that says so")
    func missingEnd() async throws {
        let fixture = try UploadFixture()
        let all = fixture.content
        fixture.uploads.state.withLock { $0.stored = all }
        // The server is asked: an upload of an earlier run.
        try fixture.change { row in
            row.phase = .completing
            row.isGranted = true
            row.sha256 = SHA256.hash(all)
        }
        #expect(try await fixture.run().phase == .done)
        let patch = try #require(fixture.uploads.requests("PATCH").first)
        #expect(patch.bodyBytes == 0 && patch.fields["Upload-Offset"] == "200000")
        #expect(patch.fields["Upload-Complete"] == "?1")
        #expect(fixture.phases.contains(.sending))
    }

    @Test("A completion whose answer was lost is recognised by the digest, and a recording of another is refused")
    func exists() async throws {
        for isOwn in [true, false] {
            let fixture = try UploadFixture()
            let (content, id) = (fixture.content, fixture.id)
            fixture.uploads.state.withLock { state in
                state.stored = isOwn ? content : [1]
                state.size = Int64(content.count)
                state.isCompleted = true
                let current = #""current":\#(FakeCalls.recording(id, state)),"version":"1-5e884898da28""#
                state.refusals = [("upload-url", .problem(409, "recording-exists", current))]
            }
            let row = try await fixture.run()
            #expect(row.phase == (isOwn ? .done : .failed))
            #expect(fixture.uploads.requests("PATCH").isEmpty)
            #expect(row.isGranted == false)
        }
    }

    @Test("A refusal by the server ends the upload with its problem", arguments: ["upload-url", "complete", "PATCH"])
    func refused(place: String) async throws {
        let fixture = try UploadFixture { state in
            if place == "PATCH" {
                state.faults = [
                    ("PATCH", .of(400, "https://iana.org/assignments/http-problem-types#digest-mismatched-values"))
                ]
            } else {
                state.refusals = [(place, .problem(403, "quota-exceeded"))]
            }
        }
        let row = try await fixture.run()
        guard row.phase == .failed, case .refused(let problem) = row.failure else {
            Issue.record("\(row)")
            return
        }
        #expect(problem.status == (place == "PATCH" ? 400 : 403))
        try fixture.reopen()
        #expect(try fixture.stored.failure == row.failure)
    }
}

extension TransferAnswer {
    static func of(_ status: Int, _ type: String? = nil) -> TransferAnswer {
        let fields: [TransferRequest.Field] = type == nil ? [] : [("Content-Type", "application/problem+json")]
        return TransferAnswer(
            status: status,
            fields: fields,
            body: Array((type.map { #"{"type":"\#($0)"}"# } ?? "").utf8)
        )
    }
}

extension Answer {
    static func grant(offset: Int) -> Answer {
        let url = FakeUploads.location
        return .json(200, #"{"upload_url":"\#(url)","location":"\#(url)","upload_offset":\#(offset)}"#)
    }
}
