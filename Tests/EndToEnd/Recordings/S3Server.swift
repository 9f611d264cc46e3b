import Foundation
import Net
import TestSupport
import Testing

@testable import Storage

/// A server with its recordings in a bucket of the S3 peer.
struct S3Server {
    let server: ServerProcess
    /// The bucket, with the server's settings.
    let store: S3Storage
    private let words: [String]

    private static let pool = Result { try BlockingPool(threads: 2, queueMax: 100) }

    /// Uses a new bucket, or the bucket of another server.
    init(sharing other: S3Server? = nil, _ arguments: [String] = []) throws {
        let peer = try S3Peer.shared.get()
        let bucket = other?.store.settings.bucket ?? "b-\(UInt64.random(in: .min ... .max))"
        store = S3Storage(
            S3Settings(
                endpoint: try #require(S3Endpoint(peer.url)),
                region: "us-east-1",
                bucket: bucket,
                accessKey: "test:tester",
                secret: "testing"
            ),
            pool: try Self.pool.get()
        ) { WallClock.nowS() }
        if other == nil { _ = try store.exchange(S3Request(method: "PUT", path: "/\(bucket)")) }
        let secret = Sandbox.makeFolder() + "/s3"
        _ = FileManager.default.createFile(
            atPath: secret,
            contents: Data("testing\n".utf8),
            attributes: [.posixPermissions: 0o600]
        )
        words = [
            "--s3-endpoint", peer.url, "--s3-bucket", bucket, "--s3-access-key", "test:tester", "--s3-secret-file",
            secret,
        ]
        server = try ServerProcess(["--registration", "open", "--signatures", "optional"] + words + arguments)
    }

    /// Runs `storage check` on the server's data.
    func check(_ more: [String] = []) throws -> Program {
        try Operator.run(["storage", "check"] + more + words + ["--data", server.data])
    }

    /// Runs `doctor` with the server's settings, and the address that a console would have.
    func doctor() throws -> Program {
        try Operator.run(["doctor"] + words + ["--data", server.data, "--public-url", "https://cloud.example.org/v2"])
    }

    /// The object key of a recording.
    func key(_ id: String, of device: Device) throws -> ObjectKey {
        let found = try server.sql(
            "SELECT object_key FROM recording_files WHERE user_id = '\(device.userID)' AND id = '\(id)'"
        )
        return try #require(found.first.flatMap(ObjectKey.init))
    }
}

/// The answer of upload-url with an S3 store.
struct S3Grant: Decodable {
    struct Multipart: Decodable {
        struct Part: Decodable {
            let number: Int
            let size: Int
            let url: String
        }

        let partSize: Int
        let partCount: Int
        let parts: [Part]
    }

    let uploadUrl: String
    let headers: [String: String]
    let uploadOffset: Int
    let multipart: Multipart

    init(_ answer: HTTPAnswer) throws {
        #expect(answer.status == 200, "\(answer.text)")
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        self = try decoder.decode(S3Grant.self, from: Data(answer.body))
    }

    /// Sends bytes by curl, like a client that knows only the answer. Returns the status.
    func put(_ bytes: [UInt8], to url: String? = nil, replacing: [String: String] = [:]) throws -> Int? {
        let fields = headers.merging(replacing) { _, new in new }.flatMap { ["-H", "\($0.key): \($0.value)"] }
        let command = ["curl", "-sS", "-o", "/dev/null", "-w", "%{http_code}", "-X", "PUT", "-H", "Expect:"]
        let run = try Program.run(command + fields + ["--data-binary", "@-", url ?? uploadUrl], inputBytes: bytes)
        return Int(run.output)
    }
}
