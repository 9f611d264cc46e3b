import Foundation
import NeuroViewsCrypto
import NeuroViewsJSON
import TestSupport
import Testing

@testable import NeuroViewsClient

@Suite("Downloads of sealed recordings", .blocking, .timeLimit(.minutes(Patience.minutes(2))))
struct SealedDownloadTests {
    private static let segmentBytes = Int(SealedLayout.segmentBytes)

    /// A sealed file of four segments at a server, and a target that has older bytes.
    private struct Fixture {
        let content = [UInt8](repeating: 7, count: 3_200_000)
        let fileKey = [UInt8](repeating: 5, count: 32)
        let folder = Sandbox.makeFolder()
        var path: String { folder + "/a.mp4" }

        let id = UUID()

        init() throws { try Data([1, 2]).write(to: URL(fileURLWithPath: path)) }

        func seal(_ content: [UInt8]) throws -> [UInt8] {
            let stream = try SealedStream(key: fileKey, SealedStream.Header(), context: [])
            let layout = SealedLayout(plainBytes: Int64(content.count))
            var sealed: [UInt8] = []
            for index in 0..<layout.segmentCount {
                let range = layout.plainRange(of: index)
                var segment = index == 0 ? stream.header.bytes : []
                segment += content[Int(range.lowerBound)..<Int(range.upperBound)]
                try stream.seal(&segment, at: index, isLast: layout.isLast(index))
                sealed += segment
            }
            return sealed
        }

        /// Fetches the server's file. Its digest is right.
        func run(_ sealed: [UInt8], by key: [UInt8]?) async throws {
            let uploads = FakeUploads(id) { state in
                (state.file, state.stored, state.isCompleted) = (sealed, sealed, true)
                state.size = Int64(sealed.count)
            }
            let text = uploads.state.withLock { FakeCalls.recording(uploads.id, $0) }
            let download = Download(
                recording: try #require(Recording(Given.json(text))),
                calls: FakeCalls(uploads),
                transport: uploads,
                pauses: UploadPauses(maxMs: 1),
                fileKey: key
            )
            try await download.run(to: path) { _ in }
        }

        var file: [UInt8]? { FileManager.default.contents(atPath: path).map { [UInt8]($0) } }
        var names: [String] { get throws { try FileManager.default.contentsOfDirectory(atPath: folder).sorted() } }
    }

    @Test("A sealed file is opened, or stays sealed if that is wanted")
    func opens() async throws {
        let fixture = try Fixture()
        let sealed = try fixture.seal(fixture.content)
        // A crash has left it.
        try Data([9]).write(to: URL(fileURLWithPath: "\(fixture.path).\(fixture.id.lower.prefix(8)).part.opened"))
        try await fixture.run(sealed, by: fixture.fileKey)
        #expect(fixture.file == fixture.content)
        #expect(try fixture.names == ["a.mp4"])
        try await fixture.run(sealed, by: nil)
        #expect(fixture.file == sealed)
    }

    static let faults: [(name: String, error: SealingError)] = [
        ("changed", .changed), ("other key", .changed), ("swapped", .changed), ("other recording", .changed),
        ("cut at a border", .cut), ("cut in a segment", .changed), ("cut to a header", .cut),
        ("no sealed file", .changed),
        ("longer", .changed),
    ]

    @Test("A file that was tampered with is named before a byte reaches the target", arguments: faults)
    func tampered(fault: String, error: SealingError) async throws {
        let fixture = try Fixture()
        var sealed = try fixture.seal(fixture.content)
        let second = Self.segmentBytes..<2 * Self.segmentBytes
        let third = second.upperBound..<3 * Self.segmentBytes
        var key = fixture.fileKey
        switch fault {
        case "changed": sealed[1_500_000] ^= 1
        case "other key": key[0] ^= 1
        case "swapped":
            sealed.replaceSubrange(second.lowerBound..<third.upperBound, with: sealed[third] + sealed[second])
        case "other recording": sealed.replaceSubrange(second, with: try fixture.seal(fixture.content)[second])
        case "cut at a border": sealed.removeSubrange(second.upperBound...)
        case "cut in a segment": sealed.removeLast(10)
        case "cut to a header": sealed.removeSubrange(50...)
        case "no sealed file": sealed[0] = 41
        default: sealed.append(0)
        }
        await #expect(throws: ClientError.sealing(error)) { try await fixture.run(sealed, by: key) }
        #expect(fixture.file == [1, 2])
        #expect(try fixture.names == ["a.mp4"])
    }

    @Test("Without the right key nothing is fetched, and the error names the key")
    func keys() async throws {
        let (id, key) = (UUID(), try RecordingKey())
        let seal = try UploadSeal(of: id, RecordingMetadata(), type: "video/mp4", by: key)
        let text = { (envelope: String) in
            #"{"id":"\#(id.lower)","processing_status":"ready","created_at":"2026-11-20T18:00:00Z","filename":"1.bin","#
                + #""encryption":\#(envelope)}"#
        }
        let envelope = String(decoding: seal.envelope.json.serialized(), as: UTF8.self)
        let answers = [
            envelope, envelope.replacing(seal.envelope.wrappedKey, with: String(repeating: "A", count: 80)),
            envelope.replacing(#""version":1"#, with: #""version":2"#), "null",
        ]
        let expected: [SealingError?] = [.keyMissing(id: key.id), .wrongKey(id: key.id), nil, nil]
        for (index, answer) in answers.enumerated() {
            let recording = try #require(Recording(Given.json(text(answer))))
            let keys = [try RecordingKey()] + (index == 1 ? [key] : [])
            switch (index, expected[index]) {
            case (_, let error?): #expect(throws: error) { try recording.fileKey(by: keys) }
            case (2, _):
                let error = #expect(throws: SealingError.self) { try recording.fileKey(by: keys) }
                #expect(error == .newerScheme("tink-aes256-gcm-hkdf-1mb, version 2"))
                #expect(recording.seal == Recording.Seal(keyID: nil, isOpen: false))
            default: #expect(try recording.fileKey(by: keys) == nil && recording.seal == nil)
            }
        }
    }
}
