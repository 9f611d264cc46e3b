import Foundation
import Net
import NeuroViewsClient
import NeuroViewsCrypto
import TestSupport
import Testing

@testable import Storage

@Suite("Files between a client and a real server", .blocking, .timeLimit(.minutes(Patience.minutes(4))))
struct ClientUploadTests {
    private static let bytes = 20_000_000

    /// A server, reached only through a proxy, a file, and a client that is logged in.
    private struct Fixture {
        let proxy: CuttingProxy
        let server: ServerProcess
        let folder = Sandbox.makeFolder()
        let content: [UInt8]
        let client: NeuroViews

        var file: URL { URL(fileURLWithPath: folder + "/a.bin") }

        init(bytes: Int, _ arguments: [String] = []) async throws {
            proxy = try CuttingProxy()
            server = try ServerProcess(
                ["--registration", "open", "--signatures", "required", "--public-url", "\(proxy.url)/v2"] + arguments
            )
            proxy.lead(to: server.client.port)
            content = try FileOnItsWay.random(bytes)
            client = try Self.open(proxy.url, folder)
            let email = "\(UUID().uuidString.lowercased())@example.org"
            _ = try await client.register(email: email, password: TestSupport.Device.password)
            _ = try await client.logIn(with: .password(email: email, password: TestSupport.Device.password))
            try Data(content).write(to: file)
        }

        /// The app, which may be started again.
        static func open(_ url: String, _ folder: String) throws -> NeuroViews {
            var options = Options()
            options.folder = URL(fileURLWithPath: folder + "/client")
            var setup = ClientSetup()
            setup.pauseMaxMs = 100
            return try NeuroViews(server: try #require(URL(string: url)), options, setup)
        }

        var digest: [UInt8] { SHA256.hash(content) }
    }

    /// The states of an upload until its end.
    private func follow(_ client: NeuroViews, _ id: UUID) async -> [Upload] {
        var states: [Upload] = []
        for await state in client.progress(of: id) { states.append(state) }
        return states
    }

    @Test("A file that is cut 20 times each way is whole at the server and back, and no byte is sent twice")
    func disk() async throws {
        let fixture = try await Fixture(bytes: Self.bytes)
        fixture.proxy.cut(up: (1...20).map { $0 * Self.bytes / 21 })
        let began = ContinuousClock.now
        let upload = try await fixture.client.upload(fixture.file, RecordingMetadata())
        let states = await follow(fixture.client, upload.id)
        let seconds = Double((ContinuousClock.now - began).components.seconds + 1)
        #expect(states.last?.state == .done && states.last?.mayDeleteFile == true)
        #expect(Double(states.count) <= seconds * 10 + 1)
        #expect(fixture.proxy.cutCount == 20)
        // The server keeps what the way has carried before a cut, so only heads are sent more: about a kilobyte a cut. An upload
        // that began anew, or whose transport repeated a request unasked, would be far above.
        #expect(fixture.proxy.bytesUp <= Self.bytes + Self.bytes / 100)
        let receipt = try #require(try await fixture.client.receipt(upload.id))
        #expect(receipt.sha256 == fixture.digest && receipt.size == Int64(Self.bytes))
        let page = try await fixture.client.recordings()
        #expect(page.items.map(\.id) == [upload.id] && page.items[0].filename == "a.bin")

        fixture.proxy.cut(down: (1...20).map { $0 * Self.bytes / 21 })
        let copy = URL(fileURLWithPath: fixture.folder + "/b.bin")
        let last = Locked<TransferProgress?>(nil)
        try await fixture.client.download(upload.id, to: copy) { progress in last.withLock { $0 = progress } }
        #expect(try [UInt8](Data(contentsOf: copy)) == fixture.content)
        #expect(fixture.proxy.cutCount == 20)
        #expect(fixture.proxy.bytesDown <= Self.bytes + Self.bytes / 100)
        #expect(last.withLock { $0?.bytes } == Int64(Self.bytes))
        try await fixture.client.deleteRecording(upload.id)
        await #expect(throws: ClientError.self) { _ = try await fixture.client.recording(upload.id) }
    }

    @Test(
        "A sealed file that is cut 10 times each way is whole at a device with the key, and hidden from the server",
        .inFull
    )
    func sealed() async throws {
        let fixture = try await Fixture(bytes: 5_000_000)
        try await fixture.client.makeRecordingKey()
        fixture.proxy.cut(up: (1...10).map { $0 * 450_000 })
        var metadata = RecordingMetadata()
        metadata.tags = ["canary in the harbour"]
        let upload = try await fixture.client.upload(fixture.file, metadata, sealed: true)
        #expect(await follow(fixture.client, upload.id).last?.state == .done)
        #expect(fixture.proxy.cutCount == 10)
        #expect(fixture.proxy.bytesUp <= fixture.content.count + fixture.content.count / 100)
        let recording = try await fixture.client.recording(upload.id)
        #expect(recording.filename == "a.bin" && recording.seal?.isOpen == true)
        let stored = try fixture.server.sql("SELECT document FROM recordings").joined()
        #expect(stored.contains("sealed_metadata") && !stored.contains("canary") && !stored.contains("a.bin"))
        fixture.proxy.cut(down: (1...10).map { $0 * 450_000 })
        let (opened, raw) = (fixture.folder + "/b.bin", fixture.folder + "/raw")
        try await fixture.client.download(upload.id, to: URL(fileURLWithPath: opened))
        #expect(FileManager.default.contents(atPath: opened) == Data(fixture.content))
        try await fixture.client.download(upload.id, to: URL(fileURLWithPath: raw), opens: false)
        #expect(FileManager.default.contents(atPath: raw)?.count == Int(upload.size))
        #expect(fixture.proxy.cutCount == 10)
    }

    @Test(
        "An upload whose file was changed begins anew under its id, and a sealed one by another key",
        arguments: [false, true]
    )
    func changed(isSealed: Bool) async throws {
        let fixture = try await Fixture(bytes: 2_000_000)
        let client = fixture.client
        if isSealed { try await client.makeRecordingKey() }
        fixture.proxy.cut(up: [1_000_000], thenCloses: true)
        let id = try await client.upload(fixture.file, RecordingMetadata(), sealed: isSealed).id
        try await eventually { try await client.upload(id)?.state == .waiting }
        let content = try FileOnItsWay.random(1_500_000)
        try Data(content).write(to: fixture.file)
        fixture.proxy.cut()
        #expect(await follow(client, id).last?.state == .failed(.fileChanged))
        try await client.resumeUpload(id)
        #expect(await follow(client, id).last?.state == .done)
        let copy = URL(fileURLWithPath: fixture.folder + "/copy")
        try await client.download(id, to: copy)
        #expect(try [UInt8](Data(contentsOf: copy)) == content)
    }

    @Test("An upload goes on after a pause and in another run of the app, and a cancelled one leaves nothing behind")
    func restart() async throws {
        let fixture = try await Fixture(bytes: Self.bytes)
        fixture.proxy.cut(up: [8_000_000], thenCloses: true)
        let upload = try await fixture.client.upload(fixture.file, RecordingMetadata())
        try await eventually { try await fixture.client.upload(upload.id)?.state == .waiting }
        try await fixture.client.pauseUpload(upload.id)
        await fixture.client.stop()
        fixture.proxy.cut()
        #expect(try await fixture.client.upload(upload.id)?.state == .paused)
        let again = try Fixture.open(fixture.proxy.url, fixture.folder)
        #expect(try await again.uploads().map(\.state) == [.paused])
        try await again.resumeUpload(upload.id)
        #expect(await follow(again, upload.id).last?.state == .done)
        #expect(fixture.proxy.bytesUp <= Self.bytes - 8_000_000 + Self.bytes / 100)
        try await again.cancelUpload(upload.id)
        #expect(try await again.uploads().isEmpty)
        #expect(try await again.recording(upload.id).status == .ready)
        // Another file under an id that a recording has is refused, and its cancellation leaves the recording there.
        try Data([1, 2, 3]).write(to: fixture.file)
        try await again.upload(fixture.file, RecordingMetadata(), id: upload.id)
        guard case .failed(.refused(let problem)) = await follow(again, upload.id).last?.state else {
            Issue.record("the upload was not refused")
            return
        }
        #expect(problem.code == "recording-exists")
        try await again.cancelUpload(upload.id)
        #expect(try await again.recording(upload.id).status == .ready)
        await again.stop()
    }

    @Test("A cancelled upload leaves nothing on the server, and without the server it is only paused")
    func cancelled() async throws {
        let fixture = try await Fixture(bytes: 4_000_000)
        fixture.proxy.cut(up: [1_000_000], thenCloses: true)
        let upload = try await fixture.client.upload(fixture.file, RecordingMetadata())
        try await eventually { fixture.proxy.cutCount == 1 }
        await #expect(throws: ClientError.self) { try await fixture.client.cancelUpload(upload.id) }
        #expect(try await fixture.client.upload(upload.id)?.state == .paused)
        #expect(try fixture.server.sql("SELECT count(*) FROM recording_files WHERE upload = 'open'") == ["1"])
        fixture.proxy.cut()
        try await fixture.client.cancelUpload(upload.id)
        #expect(try await fixture.client.uploads().isEmpty)
        #expect(try fixture.server.sql("SELECT count(*) FROM recording_files WHERE upload = 'open'") == ["0"])
    }

    @Test(
        "Parts to an S3 store have the size that the app chose, and cut ones are sent again",
        .inFull,
        .needs(.python)
    )
    func store() async throws {
        let (bytes, partBytes) = (40_000_000, 5 << 20)
        let peer = try S3Peer.shared.get()
        let way = try CuttingProxy()
        way.lead(to: try #require(UInt16(peer.url.split(separator: ":").last ?? "")))
        let fixture = try await Fixture(bytes: bytes, S3Server.words(behind: way.url))
        way.cut(up: [5_000_000, 20_000_000, 33_000_000])
        let upload = try await fixture.client.upload(
            fixture.file,
            RecordingMetadata(),
            partSize: Int64(partBytes)
        )
        #expect(await follow(fixture.client, upload.id).last?.state == .done)
        #expect(way.cutCount == 3)
        #expect(way.bytesUp <= bytes + bytes / 100 + 3 * partBytes)
        let copy = URL(fileURLWithPath: fixture.folder + "/b.bin")
        way.cut(down: [10_000_000])
        try await fixture.client.download(upload.id, to: copy)
        #expect(try [UInt8](Data(contentsOf: copy)) == fixture.content)
        #expect(way.bytesDown <= bytes + bytes / 100)
    }
}

extension S3Server {
    /// The settings of a server that reaches a new bucket by another URL.
    fileprivate static func words(behind url: String) throws -> [String] {
        let peer = try S3Peer.shared.get()
        let bucket = "b-\(UInt64.random(in: .min ... .max))"
        let settings = S3Settings(
            endpoint: try #require(S3Endpoint(peer.url)),
            region: "us-east-1",
            bucket: bucket,
            accessKey: "test:tester",
            secret: "testing"
        )
        let store = S3Storage(settings, pool: try BlockingPool(threads: 1, queueMax: 10)) { WallClock.nowS() }
        _ = try store.exchange(S3Request(method: "PUT", path: "/\(bucket)"))
        let secret = Sandbox.makeFolder() + "/s3"
        let mode: [FileAttributeKey: Any] = [.posixPermissions: 0o600]
        _ = FileManager.default.createFile(atPath: secret, contents: Data("testing\n".utf8), attributes: mode)
        return [
            "--s3-endpoint", url, "--s3-bucket", bucket, "--s3-access-key", "test:tester", "--s3-secret-file", secret,
        ]
    }
}
