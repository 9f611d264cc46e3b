import Foundation
import Net
import NeuroViewsCrypto
import NeuroViewsJSON
import TestSupport
import Testing

@testable import NeuroViewsClient

@Suite("Downloads of recordings", .blocking, .timeLimit(.minutes(Patience.minutes(2))))
struct DownloadTests {
    private static let content = BytePattern.bytes(300_000)

    /// A recording, its server and a place for the file.
    private struct Fixture {
        let uploads: FakeUploads
        let recording: Recording
        let path = Sandbox.makeFolder() + "/a.mp4"

        init(_ change: (inout FakeUploads.State) -> Void = { _ in }) throws {
            let id = UUID()
            uploads = FakeUploads(id) { state in
                (state.file, state.stored, state.isCompleted) = (content, content, true)
                state.size = Int64(content.count)
                change(&state)
            }
            let text = uploads.state.withLock { FakeCalls.recording(id, $0) }
            recording = try #require(Recording(try JSONParser.parse(Array(text.utf8), policy: .rfc8259)))
        }

        func run(_ received: @escaping @Sendable (TransferProgress) -> Void = { _ in }) async throws {
            let download = Download(
                recording: recording,
                calls: FakeCalls(uploads),
                transport: uploads,
                pauses: UploadPauses(maxMs: 1)
            )
            try await download.run(to: path, received)
        }

        /// The unfinished file.
        var part: String { "\(path).\(uploads.id.lower.prefix(8)).part" }

        var names: [String] {
            get throws {
                let folder = (path as NSString).deletingLastPathComponent
                return try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
            }
        }

        var file: [UInt8]? { FileManager.default.contents(atPath: path).map { [UInt8]($0) } }
    }

    @Test("A file is there when it is whole, and takes the place of an older one, but of no other")
    func whole() async throws {
        let fixture = try Fixture()
        try Data([1, 2]).write(to: URL(fileURLWithPath: fixture.path))
        try Data([3]).write(to: URL(fileURLWithPath: fixture.path + ".part"))
        let last = Locked<TransferProgress?>(nil)
        try await fixture.run { progress in last.withLock { $0 = progress } }
        #expect(fixture.file == Self.content)
        #expect(try fixture.names == ["a.mp4", "a.mp4.part"])
        #expect(FileManager.default.contents(atPath: fixture.path + ".part") == Data([3]))
        #expect(last.withLock { $0 } == TransferProgress(bytes: 300_000, total: 300_000))
        #expect(fixture.uploads.requests("GET").map(\.url) == ["http://127.0.0.1/link/1"])
    }

    @Test("A download that is cut 20 times fetches no byte twice, by a new link each time")
    func cuts() async throws {
        let fixture = try Fixture { $0.cuts = (1...20).map { $0 * 700 } }
        try await fixture.run()
        #expect(fixture.file == Self.content)
        #expect(fixture.uploads.state.withLock { $0.sentBytes } == 300_000)
        let ranges = fixture.uploads.requests("GET").map { $0.fields["Range"] }
        #expect(ranges.count == 21 && ranges[0] == nil && ranges[1] == "bytes=700-")
    }

    @Test("A download goes on in another run, and begins anew if the file is another one by then")
    func restart() async throws {
        for isSame in [true, false] {
            let fixture = try Fixture { $0.cuts = [100_000, 0, 0, 0, 0, 0] }
            await #expect(throws: ClientError.self) { try await fixture.run() }
            #expect(fixture.file == nil)
            #expect(
                try fixture.names == [fixture.part, fixture.part + ".etag"].map { ($0 as NSString).lastPathComponent }
            )
            fixture.uploads.state.withLock { state in
                state.cuts = []
                if !isSame { state.tag = "\"2\"" }
            }
            try await fixture.run()
            #expect(fixture.file == Self.content)
            #expect(fixture.uploads.requests("GET").last?.fields["If-Range"] == "\"1\"")
            #expect(fixture.uploads.state.withLock { $0.sentBytes } == (isSame ? 300_000 : 400_000))
        }
    }

    @Test("Bytes with another digest are fetched anew once, and never become the file")
    func otherDigest() async throws {
        let fixture = try Fixture()
        fixture.uploads.state.withLock { $0.file[5] ^= 1 }
        await #expect(throws: ClientError.self) { try await fixture.run() }
        #expect(fixture.file == nil)
        #expect(fixture.uploads.requests("GET").count == 2)
        // Old bytes of a run long ago are no reason to give up.
        let stale = try Fixture()
        try Data([9, 9, 9]).write(to: URL(fileURLWithPath: stale.part))
        try Data("\"1\"".utf8).write(to: URL(fileURLWithPath: stale.part + ".etag"))
        try await stale.run()
        #expect(stale.file == Self.content)
    }

    @Test("Bytes without a tag, or with a weak one, are not gone on with", arguments: ["", "W/\"1\""])
    func noTag(tag: String) async throws {
        let fixture = try Fixture { $0.tag = tag }
        fixture.uploads.state.withLock { $0.cuts = [100_000] }
        try await fixture.run()
        #expect(fixture.file == Self.content)
        #expect(fixture.uploads.requests("GET").allSatisfy { $0.fields["Range"] == nil })
    }

    @Test("A download whose bytes have no tag ends when its connection always breaks", arguments: ["", "W/\"1\""])
    func noTagAlwaysCut(tag: String) async throws {
        let fixture = try Fixture { $0.tag = tag }
        fixture.uploads.state.withLock { $0.cuts = (1...50).map { $0 * 1000 } }
        await #expect(throws: ClientError.offline(.cut("by the test"))) { try await fixture.run() }
        #expect(fixture.file == nil)
        #expect(fixture.uploads.requests("GET").count == 5)
    }

    @Test("A tag that others have written is not believed", arguments: ["\"1\"\r\nX: y", "\"1\n\"", "1", "\""])
    func spoiledTag(tag: String) async throws {
        let fixture = try Fixture()
        try Data(Self.content.prefix(100_000)).write(to: URL(fileURLWithPath: fixture.part))
        try Data(tag.utf8).write(to: URL(fileURLWithPath: fixture.part + ".etag"))
        try await fixture.run()
        #expect(fixture.file == Self.content)
        #expect(fixture.uploads.requests("GET").map { $0.fields["If-Range"] } == [nil])
    }

    @Test("A link that is over is replaced", arguments: [403, 410])
    func newLink(status: Int) async throws {
        let fixture = try Fixture { $0.faults = [("GET", .of(status))] }
        try await fixture.run()
        #expect(fixture.file == Self.content)
        #expect(fixture.uploads.state.withLock { $0.links } == 2)
    }

    @Test("A whole part of a run that crashed becomes the file")
    func crashBeforeRename() async throws {
        let fixture = try Fixture()
        try Data(Self.content).write(to: URL(fileURLWithPath: fixture.part))
        try Data("\"1\"".utf8).write(to: URL(fileURLWithPath: fixture.part + ".etag"))
        try await fixture.run()
        #expect(fixture.file == Self.content)
        #expect(fixture.uploads.state.withLock { $0.sentBytes } == 0)
    }

    @Test("Two downloads of one file at once are refused by name")
    func busy() async throws {
        let fixture = try Fixture()
        let part = try PartFile.open(of: fixture.path, mark: String(fixture.uploads.id.lower.prefix(8)))
        await #expect(throws: ClientError.invalidArgument("\(fixture.path) is being downloaded already.")) {
            try await fixture.run()
        }
        withExtendedLifetime(part) {}
    }

    @Test("A folder that can't be written ends a download by name")
    func noFolder() async throws {
        let fixture = try Fixture()
        let download = Download(
            recording: fixture.recording,
            calls: FakeCalls(fixture.uploads),
            transport: fixture.uploads,
            pauses: UploadPauses(maxMs: 1)
        )
        await #expect(throws: ClientError.offline(.file(code: ENOENT))) {
            try await download.run(to: fixture.path + ".none/a.mp4") { _ in }
        }
    }

    @Test("The head of an answer is known before the file has its first byte")
    func began() async throws {
        let peer = try ScriptedPeer(answer: "HTTP/1.1 200 OK\r\nETag: \"7\"\r\nContent-Length: 9\r\n\r\nab")
        let file = try OpenFile()
        let tags = Locked<[String]>([])
        let download = DownloadFile(
            descriptor: file.descriptor,
            offset: 0,
            began: { answer in tags.withLock { $0.append("\(answer.status) \(answer["ETag"] ?? "")") } }
        )
        let error = await (try makeTransport(to: peer.url)).failure(TransferRequest("GET", peer.url), into: download)
        guard case .cut = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(tags.withLock { $0 } == ["200 \"7\""])
        #expect(file.content == Array("ab".utf8))
    }
}
