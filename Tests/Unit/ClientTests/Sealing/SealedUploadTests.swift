import Foundation
import NeuroViewsCrypto
import NeuroViewsJSON
import NeuroViewsRules
import TestSupport
import Testing

@testable import NeuroViewsClient

@Suite("Sealed uploads", .blocking, .timeLimit(.minutes(Patience.minutes(2))))
struct SealedUploadTests {
    private static let bytes = 2_200_000
    private static let sealedBytes = SealedLayout(plainBytes: Int64(bytes)).sealedBytes

    /// An upload of three segments, with its seal and the user's key.
    private struct Fixture {
        let upload: UploadFixture
        let key: RecordingKey
        let seal: UploadSeal

        init(_ change: (inout FakeUploads.State) -> Void = { _ in }) throws {
            let (upload, key) = (try UploadFixture(bytes: bytes, change), try RecordingKey())
            let queued = try upload.row()
            var metadata = queued.metadata
            metadata.configurationID = UUID()
            metadata.location = RecordingMetadata.Location(latitude: 1, longitude: 2)
            let seal = try UploadSeal(of: upload.id, metadata, type: "video/mp4", by: key)
            var row = UploadRow(
                id: queued.id,
                path: queued.path,
                identity: queued.identity,
                type: queued.type,
                metadata: metadata,
                addedMs: 1
            )
            row.seal = seal
            try upload.store.save(row)
            (self.upload, self.key, self.seal) = (upload, key, seal)
        }

        /// The file as another device opens it.
        func opened() throws -> [UInt8] {
            let file = try OpenFile(upload.uploads.state.withLock { $0.joined })
            let opener = try SegmentOpener(try LocalFile(file.path), seal.fileKey)
            return try (0..<opener.layout.segmentCount).flatMap { try opener.open($0) }
        }

        func bodies(_ end: String) -> [NeuroViewsJSON.JSONValue] {
            upload.uploads.state.withLock { state in
                state.calls.filter { $0.path.hasSuffix(end) }.compactMap(\.body)
            }
        }
    }

    @Test("The server gets a sealed file, its size and digest, and no details in the clear")
    func whole() async throws {
        let fixture = try Fixture()
        let row = try await fixture.upload.run()
        #expect(row.phase == .done && row.sent == Self.sealedBytes)
        #expect(Upload(row).size == Self.sealedBytes && Upload(row).isSealed)
        #expect(try fixture.opened() == fixture.upload.content)
        let wish = try #require(fixture.bodies("upload-url").first?.object)
        let names = Set(wish.members.map(\.name))
        #expect(names == ["file_size", "content_type", "sha256", "encryption"])
        #expect(wish["file_size"]?.number?.int64 == Self.sealedBytes)
        #expect(wish["encryption"]?["key_id"]?.string == fixture.key.id)
        let metadata = try #require(fixture.bodies("complete").first?["metadata"]?.object)
        #expect(Set(metadata.members.map(\.name)) == ["creation_date", "sealed_metadata"])
    }

    @Test("Hidden metadata are shown with the key, without details that others put into the document")
    func hidden() throws {
        let fixture = try Fixture()
        var document = try #require(
            Given.json(
                #"{"id":"\#(fixture.upload.id.lower)","processing_status":"ready","created_at":"2026-11-20T18:00:00Z","filename":"1.bin"}"#
            ).object
        )
        document.set("encryption", to: fixture.seal.envelope.json)
        document.set("sealed_metadata", to: .string(fixture.seal.metadata))
        let recording = try #require(Recording(.object(document)))
        #expect(recording.seal?.isOpen == false && recording.seal?.keyID == fixture.key.id)
        let other = try RecordingKey()
        #expect(recording.revealed(by: [other]) == recording)
        let shown = recording.revealed(by: [fixture.key])
        #expect(shown.filename == "a.mp4" && shown.contentType == "video/mp4" && shown.configurationID != nil)
        #expect(shown["location"]?["longitude"]?.double == 2 && shown.seal?.isOpen == true)
        let text = Array(#"{"id":"x","processing_status":"failed","a":1}"#.utf8)
        let key = fixture.seal.fileKey
        let box = try SealedStream.seal(text, key: key, context: Array("sealed_metadata".utf8))
        document.set("tags", to: .array([.string("of the server")]))
        let revealed = HiddenMetadata.reveal(Base64.padded.encode(box), in: document, key)
        #expect(revealed?["processing_status"]?.string == "ready" && revealed?["a"] != nil)
        #expect(revealed?["tags"] == nil && revealed?["filename"]?.string == "1.bin")
        var large = RecordingMetadata()
        large.customTags = ["a": String(repeating: "x", count: 12_232)]
        #expect(throws: ClientError.sealing(.metadataTooLarge(maxBytes: 12_232))) {
            try HiddenMetadata.seal(large, type: "video/mp4", key)
        }
    }

    @Test(
        "A sealed upload that is cut five times sends the same bytes again, and at most 1 % or a part a cut more",
        arguments: [nil, 200_000] as [Int64?]
    )
    func cuts(partSize: Int64?) async throws {
        let fixture = try Fixture { state in
            (state.partSize, state.lostBytes) = (partSize, partSize == nil ? 1000 : 0)
            state.cuts = (1...5).map { $0 * 36_000 }
        }
        #expect(try await fixture.upload.run().phase == .done)
        #expect(try fixture.opened() == fixture.upload.content)
        let most = Self.sealedBytes + Self.sealedBytes / 100 + 5 * (partSize ?? 0)
        #expect(fixture.upload.uploads.state.withLock { $0.sentBytes } <= most)
    }

    @Test("After a restart a sealed upload goes on with the same bytes, and its key can't be read in the store")
    func restart() async throws {
        let fixture = try Fixture { $0.cuts = [1_500_000] }
        let upload = fixture.upload
        upload.uploads.state.withLock { $0.faults = [("HEAD", .of(500))] }
        _ = try? await upload.run { row in if row.phase == .waiting { upload.store.close() } }
        try upload.reopen()
        #expect(try upload.stored.seal == fixture.seal)
        for path in try FileManager.default.subpathsOfDirectory(atPath: upload.folder) {
            let bytes = FileManager.default.contents(atPath: upload.folder + "/" + path) ?? Data()
            #expect(bytes.range(of: Data("file_key".utf8)) == nil, "\(path)")
            #expect(bytes.range(of: Data(fixture.seal.fileKey)) == nil, "\(path)")
        }
        #expect(try await upload.run().phase == .done)
        #expect(upload.uploads.requests("PATCH").compactMap { $0.fields["Upload-Offset"] } == ["0", "1500000"])
        #expect(try fixture.opened() == upload.content)
    }

    @Test(
        "A segment that differs from the one that was hashed is never sent, though size and time of the file are the same"
    )
    func changed() async throws {
        let fixture = try Fixture { $0.cuts = [1_500_000] }
        let (path, bodies) = (fixture.upload.file.path, Counter())
        fixture.upload.uploads.state.withLock { state in
            state.beforeBody = {
                // Before the second body.
                guard bodies.add() == 2 else { return }
                let (descriptor, change) = (open(path, O_WRONLY), [0xFF, 0, 0xFF] as [UInt8])
                pwrite(descriptor, change, change.count, 1_400_000)
                close(descriptor)
                let time = timespec(tv_sec: 1000, tv_nsec: 7)
                utimensat(AT_FDCWD, path, [time, time], 0)
            }
        }
        let row = try await fixture.upload.run()
        #expect(bodies.value == 2 && row.phase == .failed && row.failure == .fileChanged)
        #expect(fixture.upload.uploads.state.withLock { $0.stored.count } == 1_500_000)
    }

    @Test("Without the tags of the first pass nothing is sent, and a spoiled seal fails its upload alone")
    func spoiled() async throws {
        let fixture = try Fixture()
        let raw = try SQLite(fixture.upload.store.folder + "/store/items.sqlite")
        let row = try await fixture.upload.run { row in
            if row.phase == .queued { try? raw.run("UPDATE upload_tags SET tags = zeroblob(40)") }
        }
        #expect(row.failure == .unreadable && fixture.upload.uploads.state.withLock { $0.requests.isEmpty })
        let other = try Fixture()
        try SQLite(other.upload.store.folder + "/store/items.sqlite").run("UPDATE upload SET seal = zeroblob(40)")
        #expect(throws: ClientError.self) { try other.upload.store.uploads() }
        #expect(try other.upload.stored.failure == .unreadable)
    }

    @Test(
        "An upload is sealed with the device's key alone, stays sealed, and gets another key if the file may have changed"
    )
    func asked() async throws {
        let table = AnswerTable { _ throws(TransportError) in throw .notConnected("test") }
        let folder = Sandbox.makeFolder()
        let client = try await Given.client(table, folder: folder)
        let (file, id) = (URL(fileURLWithPath: folder + "/a.mp4"), UUID())
        try Data([1, 2, 3]).write(to: file)
        await #expect(throws: ClientError.sealing(.noKey)) {
            try await client.upload(file, RecordingMetadata(), id: id, sealed: true)
        }
        let key = try await client.makeRecordingKey()
        #expect(try await client.makeRecordingKey() == key, "the one that is there")
        try await client.upload(file, RecordingMetadata(), id: id, sealed: true)
        await client.stopTransfers()
        await #expect(throws: ClientError.self) { try await client.upload(file, RecordingMetadata(), id: id) }
        let (seals, marks) = try await client.inside { client in
            let store = try client.openedStore()
            var (seals, marks): ([UploadSeal?], [Bool?]) = ([], [])
            for failure in [UploadFailure.otherDigest, .fileChanged] {
                var row = try #require(try store.upload(id))
                (row.phase, row.failure, row.sha256, row.isGranted) = (.failed, failure, [1], true)
                try store.save(row)
                seals.append(row.seal)
                try client.resumeUpload(id)
                seals.append(try store.upload(id)?.seal)
                marks.append(try store.upload(id)?.replaces)
            }
            return (seals, marks)
        }
        await client.stopTransfers()
        #expect(marks == [false, true], "only a file that may have changed takes the place of an open upload")
        #expect(seals.compactMap(\.self).count == 4 && seals[0]?.envelope.keyID == key.id)
        #expect(seals[0] == seals[1] && seals[2] != seals[3])
    }
}
