import Foundation
import FoundationNetworking
import TestSupport
import Testing

@testable import NeuroViewsClient

/// No 401 comes here: FoundationNetworking ends the program at a WWW-Authenticate without a realm.
@Suite("URLSession and a real server", .blocking, .timeLimit(.minutes(Patience.minutes(3))))
struct SessionServerTests {
    /// The transport, with a note of the files that it was asked to send. A piece gets the fields that Apple's systems add.
    private struct NotingTransport: NeuroViewsClient.Transport {
        let own: URLSessionTransport
        let lengths = Guarded<[Int64]>([])

        var pieceMaxBytes: Int64? { own.pieceMaxBytes }

        func send(_ request: TransferRequest, into file: DownloadFile?) async throws(TransportError) -> TransferAnswer {
            guard case .file(let region) = request.body else { return try await own.send(request, into: file) }
            lengths.withLock { $0.append(region.length) }
            var request = request
            if request.method == "PATCH" {
                request.fields += UploadTaskFields.added(version: 8, bodyBytes: region.length)
            }
            return try await own.send(request, into: file)
        }
    }

    private struct Fixture {
        let client: NeuroViews
        let transport: NotingTransport
        let folder = Sandbox.makeFolder()

        init(_ server: ServerProcess, email: String, isNew: Bool) async throws {
            let url = "http://127.0.0.1:\(server.client.port)"
            var options = Options()
            options.folder = URL(fileURLWithPath: folder + "/client")
            options.secrets = FileSecretStore(folder: folder + "/secrets")
            let own = URLSessionTransport(
                try Trust(server: url, options),
                pieceBytes: 1 << 20,
                configuration: URLSessionConfiguration.neuroViews()
            )
            transport = NotingTransport(own: own)
            var setup = ClientSetup()
            setup.transport = transport
            client = try NeuroViews(server: try #require(URL(string: url)), options, setup)
            if isNew { _ = try await client.register(email: email, password: TestSupport.Device.password) }
            _ = try await client.logIn(with: .password(email: email, password: TestSupport.Device.password))
        }

        /// Uploads a file of random bytes, and compares it with its download.
        func roundTrip(bytes: Int, sealed: Bool) async throws {
            let content = Data((0..<bytes).map { _ in UInt8.random(in: .min ... .max) })
            let (file, copy) = (URL(fileURLWithPath: folder + "/a.bin"), URL(fileURLWithPath: folder + "/b.bin"))
            try content.write(to: file)
            let upload = try await client.upload(file, RecordingMetadata(creationDate: Date()), sealed: sealed)
            var last: Upload?
            for await state in client.progress(of: upload.id) { last = state }
            #expect(last?.state == .done && last?.sent == last?.size)
            try await client.download(upload.id, to: copy)
            #expect(FileManager.default.contents(atPath: copy.path) == content)
        }
    }

    private static let server = Result {
        try ServerProcess(["--registration", "open", "--signatures", "required"])
    }

    private let email = "\(UUID().uuidString.lowercased())@example.org"

    @Test("Presets of one device come to another one, and each edit is synced")
    func presets() async throws {
        let server = try Self.server.get()
        let first = try await Fixture(server, email: email, isNew: true)
        let second = try await Fixture(server, email: email, isNew: false)
        let stored = try await first.client.save(CameraConfiguration(name: "Harbour", preset: .night))
        #expect(try await first.client.sync().sent == 1)
        _ = try await second.client.sync()
        try await second.client.edit(stored.id) { $0.exposure.iso = 400 }
        _ = try await second.client.sync()
        _ = try await first.client.sync()
        #expect(try await first.client.configuration(stored.id)?.configuration.exposure.iso == 400)
    }

    @Test("A film goes to the server in one request as it is, and comes back", .inFull)
    func film() async throws {
        let server = try Self.server.get()
        let fixture = try await Fixture(server, email: email, isNew: true)
        try await fixture.roundTrip(bytes: 3_000_000, sealed: false)
        #expect(fixture.transport.lengths.withLock { $0 } == [3_000_000])
    }

    @Test("A sealed film goes in pieces, which are all that is on the disk twice, and opens again", .inFull)
    func sealed() async throws {
        let server = try Self.server.get()
        let fixture = try await Fixture(server, email: email, isNew: true)
        try await fixture.client.makeRecordingKey()
        try await fixture.roundTrip(bytes: 3_000_000, sealed: true)
        let lengths = fixture.transport.lengths.withLock { $0 }
        #expect(lengths.count == 3 && (lengths.max() ?? 0) == 1 << 20)
    }
}
