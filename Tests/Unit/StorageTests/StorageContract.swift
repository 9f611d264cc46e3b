import NeuroViewsCrypto
import TestSupport
import Testing

@testable import Storage

/// A promise of every kind of storage, with its check.
struct StorageContract: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let check: @Sendable (ObjectStorage) async throws -> Void

    private init(_ promise: String, _ check: @escaping @Sendable (ObjectStorage) async throws -> Void) {
        testDescription = promise
        self.check = check
    }

    static let all = [
        StorageContract("What was put is read whole, and replaced by what is put next") { storage in
            let name = try key("a/b/object.bin")
            for content in [randomBytes(3 << 20), Array("short".utf8), []] {
                try await storage.put(content, as: name, contentType: "application/octet-stream")
                #expect(try await storage.size(of: name) == content.count)
                let reader = try await storage.read(name)
                #expect(reader.objectBytes == content.count && reader.range == 0..<content.count)
                #expect(try await reader.rest() == content)
                #expect(try await storage.read(name).sha256() == SHA256.hash(content))
            }
        },
        StorageContract("A range is read, cut at the object's end") { storage in
            let (name, content) = (try key("ranges"), randomBytes(700_000))
            try await storage.put(content, as: name, contentType: "video/mp4")
            for range in [0..<1, 1..<700_000, 300_000..<300_010, 699_999..<700_000, 600_000..<9_000_000, 5..<5] {
                let reader = try await storage.read(name, range)
                #expect(reader.range == range.clamped(to: 0..<700_000) && reader.objectBytes == 700_000)
                #expect(try await reader.rest() == Array(content[reader.range]))
            }
        },
        StorageContract("A range that begins at the end or past it is an error that has the size") { storage in
            let name = try key("past")
            try await storage.put(randomBytes(10), as: name, contentType: "video/mp4")
            for range in [10..<11, 10..<10, 900..<1000] {
                await #expect(throws: StorageError.outOfRange(sizeBytes: 10)) { try await storage.read(name, range) }
            }
            try await storage.put([], as: name, contentType: "video/mp4")
            await #expect(throws: StorageError.outOfRange(sizeBytes: 0)) { try await storage.read(name, 0..<1) }
        },
        StorageContract("An object that is not there is missing, also after its deletion; deleting again is no error") {
            storage in
            let name = try key("gone")
            for _ in 0..<2 {
                await #expect(throws: StorageError.missing) { try await storage.size(of: name) }
                await #expect(throws: StorageError.missing) { try await storage.read(name) }
                await #expect(throws: StorageError.missing) { try await storage.read(name, 0..<1) }
                try await storage.put([1], as: name, contentType: "video/mp4")
                try await storage.delete(name)
                try await storage.delete(name)
            }
        },
        StorageContract("The list has every object once, with its size") { storage in
            var expected: [ObjectKey: Int] = [:]
            for number in 0..<12 {
                let name = try key("list/\(number)/o_\(number).mov")
                try await storage.put(randomBytes(number), as: name, contentType: "video/mp4")
                expected[name] = number
            }
            try await storage.delete(try key("list/3/o_3.mov"))
            expected = expected.filter { $0.value != 3 }
            var listed: [StoredObject] = []
            try await storage.forEachPage { listed += $0 }
            #expect(
                listed.count == 11 && Dictionary(listed.map { ($0.key, $0.bytes) }, uniquingKeysWith: +) == expected
            )
            #expect(listed.allSatisfy { abs($0.writtenAtS - WallClock.nowS()) < 600 })
        },
        StorageContract("Of concurrent puts one wins whole, and concurrent readers don't disturb each other") {
            storage in
            let (name, contents) = (try key("race"), (1...6).map { randomBytes(400_000, seed: $0) })
            try await withThrowingTaskGroup(of: Void.self) { group in
                for content in contents {
                    group.addTask { try await storage.put(content, as: name, contentType: "video/mp4") }
                }
                try await group.waitForAll()
            }
            let winner = try await storage.read(name).rest()
            #expect(contents.contains(winner))
            try await withThrowingTaskGroup(of: Bool.self) { group in
                for _ in 0..<6 { group.addTask { try await storage.read(name).rest() == winner } }
                for try await isEqual in group { #expect(isEqual) }
            }
        },
    ]
}
