import Foundation
import Net
import TestSupport
import Testing

@testable import Storage

/// One bounded pool for all tests, as in the server.
let testPool = Result { try BlockingPool(threads: 8, queueMax: 100) }

func key(_ text: String) throws -> ObjectKey { try #require(ObjectKey(text)) }

/// An empty store on disk.
func makeDisk(reserveBytes: Int = 0, folder: String = Sandbox.makeFolder()) throws -> DiskStorage {
    try DiskStorage(folder: folder, reserveBytes: reserveBytes, pool: testPool.get())
}

/// A store in a new bucket of an S3 service.
func makeS3(
    _ peer: S3Peer? = nil,
    change: (inout S3Settings) throws -> Void = { _ in },
    clockAheadS: Int = 0
) throws -> S3Storage {
    let peer = try peer ?? S3Peer.shared.get()
    var settings = S3Settings(
        endpoint: try #require(S3Endpoint(peer.url)),
        region: "us-east-1",
        bucket: "b-\(UInt64.random(in: .min ... .max))",
        accessKey: "test:tester",
        secret: "testing"
    )
    let owner = S3Storage(settings, pool: try testPool.get()) { WallClock.nowS() }
    _ = try owner.exchange(S3Request(method: "PUT", path: "/\(settings.bucket)"))
    try change(&settings)
    return S3Storage(settings, pool: try testPool.get()) { WallClock.nowS() + clockAheadS }
}

/// Random bytes; the same seed gives the same bytes.
func randomBytes(_ count: Int, seed: UInt64 = 1) -> [UInt8] {
    var random = SeededRandom(seed: seed)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count + 8)
    while bytes.count < count { withUnsafeBytes(of: random.next()) { bytes.append(contentsOf: $0) } }
    bytes.removeLast(bytes.count - count)
    return bytes
}

extension ObjectReader {
    /// All remaining bytes, in pieces within the size limit.
    func rest() async throws -> [UInt8] {
        var all: [UInt8] = []
        while let piece = try await next() {
            #expect(!piece.isEmpty && piece.count <= 256 << 10)
            all += piece
        }
        return all
    }
}
