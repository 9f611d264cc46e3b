import Compression
import Foundation
import TestSupport
import Testing

@Suite("gzip", .blocking)
struct GzipTests {
    /// The output of the `gzip` program.
    private static func packed(_ text: [UInt8]) throws -> [UInt8] {
        try Program.run(["gzip", "-9", "-c"], inputBytes: text).outputBytes
    }

    private static func failure(_ packed: [UInt8], maxBytes: Int = 1 << 20) -> GzipError? {
        do throws(GzipError) {
            _ = try Gzip.unpacked(packed, maxBytes: maxBytes)
            return nil
        } catch {
            return error
        }
    }

    private static func noise(_ count: Int, seed: UInt64) -> [UInt8] {
        var random = SeededRandom(seed: seed)
        return (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
    }

    @Test(
        "Output of gzip is decompressed, for sizes around that of a piece",
        arguments: [0, 1, 65_535, 65_536, 65_537, 300_000]
    )
    func round(count: Int) throws {
        for text in [Self.noise(count, seed: 1), [UInt8](repeating: 97, count: count)] {
            let packed = try Self.packed(text)
            #expect(try Gzip.unpacked(packed, maxBytes: 1 << 20) == text)
            #expect(try Gzip.unpacked(packed, maxBytes: count) == text)
            if count > 0 { #expect(Self.failure(packed, maxBytes: count - 1) == .tooLarge) }
        }
    }

    @Test("Several gzip members are one text, and any bytes after them are refused")
    func members() throws {
        let (a, b) = (try Self.packed(Array("first ".utf8)), try Self.packed(Array("second".utf8)))
        #expect(try Gzip.unpacked(a + b, maxBytes: 12) == Array("first second".utf8))
        #expect(Self.failure(a + b, maxBytes: 11) == .tooLarge)
        #expect(Self.failure(a + Array("{}".utf8)) == .trailingBytes)
        #expect(Self.failure(a + [0]) == .trailingBytes)
        #expect(Self.failure(a + [0x1F]) == .trailingBytes)
        #expect(Self.failure(a + b.dropLast()) == .truncated)
        #expect(Self.failure(a + [0x1F, 0x8B]) == .truncated)
        #expect(Self.failure(a + [0x1F, 0x8B, 7] + b.dropFirst(3)) == .damaged)
    }

    @Test("Every proper prefix of a gzip stream is refused as truncated")
    func truncated() throws {
        let packed = try Self.packed(Array("some text that is long enough to be packed, text text text".utf8))
        for count in 0..<packed.count { #expect(Self.failure(Array(packed[..<count])) == .truncated, "\(count)") }
    }

    @Test("Data that is not gzip and gzip with any changed byte are refused")
    func damaged() throws {
        #expect(Self.failure(Array("{\"events\":[]}".utf8)) == .damaged)
        // zlib's own format, and bare deflate.
        #expect(Self.failure([0x78, 0x9C, 0x03, 0, 0, 0, 0, 1]) == .damaged)
        #expect(Self.failure([0x03, 0x00, 0x00, 0x00]) == .damaged)
        let text = Array("some text that is long enough to be packed, text text text".utf8)
        let packed = try Self.packed(text)
        // No checksum covers the 10 bytes of the header, which include a time.
        for index in 10..<packed.count {
            var changed = packed
            changed[index] ^= 0x55
            #expect(Self.failure(changed) != nil, "\(index)")
        }
    }

    @Test("A gzip stream of a gibibyte of zeros is refused before it takes memory")
    func bomb() throws {
        let member = try Self.packed([UInt8](repeating: 0, count: 8 << 20))
        let bomb = [[UInt8]](repeating: member, count: 128).flatMap { $0 }
        #expect(bomb.count < 2 << 20)
        let figures = ProcessFigures(getpid())
        let before = figures.residentKiB
        #expect(Self.failure(bomb, maxBytes: 1 << 20) == .tooLarge)
        // Other tests run at the same time.
        if ProcessFigures.tellMemory { #expect(figures.residentKiB - before < 256 << 10) }
    }
}
