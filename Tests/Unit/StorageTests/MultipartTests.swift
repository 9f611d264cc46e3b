import NeuroViewsCrypto
import TestSupport
import Testing

@testable import Storage

@Suite("Multipart uploads", .blocking, .timeLimit(.minutes(Patience.minutes(2))))
struct MultipartTests {
    /// The smallest size that S3 accepts for all parts before the last.
    private static let partBytes = 5 << 20

    @Test(
        "Parts have 16 MiB or a 9000th of the file, and a single part up to 5 GiB",
        arguments: [
            (1, 16 << 20, 1), (16 << 20, 16 << 20, 1), (16 << 20 + 1, 16 << 20, 2), (9000 * (16 << 20), 16 << 20, 9000),
            (9000 * (16 << 20) + 1, (16 << 20) + 1, 9000), (5 << 40, 610_839_794, 9000),
        ] as [(Int, Int, Int)]
    )
    func plan(bytes: Int, partBytes: Int, count: Int) {
        let plan = UploadPlan(bytes: bytes)
        #expect(plan.partBytes == partBytes && plan.partCount == count)
        #expect((1...count).reduce(0) { $0 + plan.bytes(ofPart: $1) } == bytes)
        #expect((1...count).allSatisfy { plan.bytes(ofPart: $0) > 0 })
        #expect(plan.mayBeWhole == (bytes <= 5 << 30))
    }

    @Test(
        "Parts of a requested size make the whole file, and 10,000 of the smallest allowed ones suffice",
        arguments: [
            (1, 5 << 20), (2 << 30, 5 << 20), (5 << 20, 5 << 30), (11 << 30, 5 << 30), (16 << 40, 1_759_218_605),
        ] as [(Int, Int)]
    )
    func requested(bytes: Int, partBytes: Int) {
        let plan = UploadPlan(bytes: bytes, partBytes: partBytes)
        #expect(plan.partBytes == partBytes && plan.partCount <= 10_000)
        #expect((1...plan.partCount).reduce(0) { $0 + plan.bytes(ofPart: $1) } == bytes)
        #expect(UploadPlan.leastPartBytes(ofFile: bytes) <= partBytes)
        #expect(UploadPlan(bytes: bytes, partBytes: UploadPlan.leastPartBytes(ofFile: bytes)).partCount <= 10_000)
    }

    @Test("Twenty cuts of an upload of 2 GiB cost at most a tenth of it with the smallest parts")
    func cuts() {
        // A cut costs less than the part that was on its way.
        #expect(20 * UploadPlan(bytes: 2 << 30, partBytes: 5 << 20).partBytes <= (2 << 30) / 10)
    }

    @Test("A multipart upload is complete with all planned parts or one whole part; others don't count")
    func completePlan() {
        let size = (64 << 20) * 2 + 10
        let plan = UploadPlan(bytes: size, partBytes: 64 << 20)
        func part(_ number: Int, _ bytes: Int) -> S3Part { S3Part(number: number, etag: "\(number)", bytes: bytes) }
        let all = [part(1, 64 << 20), part(2, 64 << 20), part(3, 10)]
        #expect(plan.complete(all) == all)
        #expect(plan.complete(all + [part(4, 10)]) == all)
        #expect(plan.complete([part(1, size), part(2, 64 << 20)]) == [part(1, size)])
        for missing in 0..<3 {
            #expect(plan.complete(all.enumerated().filter { $0.offset != missing }.map(\.element)) == nil)
        }
        #expect(plan.complete([part(1, size - 1)]) == nil && plan.complete([part(2, size)]) == nil)
        #expect(plan.complete([all[0], all[1], part(3, 11)]) == nil && plan.complete([]) == nil)
    }

    @Test("Parts in any order make the object, and the list of parts is read in pages", .needs(.python))
    func complete() async throws {
        var s3 = try makeS3()
        s3.pageMax = 2
        let name = try key("multi/part")
        let id = try await s3.createMultipartUpload(name, contentType: "video/quicktime")
        let contents = [randomBytes(Self.partBytes, seed: 1), randomBytes(Self.partBytes, seed: 2), randomBytes(1000)]
        for number in [3, 1, 2] { try await send(contents[number - 1], number, s3, name, id) }
        let parts = try await s3.parts(of: name, uploadID: id)
        #expect(parts.map(\.number) == [1, 2, 3] && parts.map(\.bytes) == contents.map(\.count))
        await #expect(throws: StorageError.missing) { try await s3.size(of: name) }
        try await s3.completeMultipartUpload(name, uploadID: id, parts: parts)
        #expect(try await s3.read(name).sha256() == SHA256.hash(contents.flatMap { $0 }))
        let across = (Self.partBytes - 5)..<(Self.partBytes + 5)
        #expect(try await s3.read(name, across).rest() == Array(contents.flatMap { $0 }[across]))
    }

    @Test("A too small part or a wrong tag is an error, and nothing is stored", .needs(.python))
    func refused() async throws {
        let s3 = try makeS3()
        let name = try key("refused")
        let id = try await s3.createMultipartUpload(name, contentType: "video/quicktime")
        for number in 1...2 { try await send(randomBytes(100), number, s3, name, id) }
        let parts = try await s3.parts(of: name, uploadID: id)
        let changed = [S3Part(number: 1, etag: "\"0123456789abcdef0123456789abcdef\"", bytes: 100)]
        for wrong in [parts, changed] {
            let error = await #expect(throws: StorageError.self) {
                try await s3.completeMultipartUpload(name, uploadID: id, parts: wrong)
            }
            guard case .refused = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
        }
        await #expect(throws: StorageError.missing) { try await s3.size(of: name) }
    }

    @Test("An aborted multipart upload is missing, and aborting it again is no error", .needs(.python))
    func abort() async throws {
        let s3 = try makeS3()
        let name = try key("aborted")
        let id = try await s3.createMultipartUpload(name, contentType: "video/quicktime")
        #expect(try await s3.parts(of: name, uploadID: id).isEmpty)
        for _ in 0..<2 { try await s3.abortMultipartUpload(name, uploadID: id) }
        await #expect(throws: StorageError.missing) { try await s3.parts(of: name, uploadID: id) }
        let parts = [S3Part(number: 1, etag: "\"0\"", bytes: 1)]
        await #expect(throws: StorageError.missing) {
            try await s3.completeMultipartUpload(name, uploadID: id, parts: parts)
        }
    }

    private func send(_ body: [UInt8], _ number: Int, _ s3: S3Storage, _ name: ObjectKey, _ id: String) async throws {
        let part = s3.presignedPart(name, uploadID: id, number: number, bytes: body.count, expiresS: 60)
        let fields = part.fields.map { ($0.key, $0.value) }
        let head = try s3.client.exchange(HTTPRequest(method: "PUT", url: part.url, fields: fields, body: body)).head
        #expect(head.status == 200)
    }
}
