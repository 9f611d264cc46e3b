import NeuroViewsCrypto
import TestSupport
import Testing

/// Known answers were made by Tink and by Python's cryptography.
@Suite("Streams of AES256-GCM-HKDF-1MB")
struct SealedStreamTests {
    private static let key = ascending(32, 63)
    private static let segmentBytes = Int(SealedLayout.segmentBytes)
    /// Of the file in a full segment.
    private static let full = segmentBytes - AESGCM.tagBytes
    private static let large = text(2 * full)

    private static func header() throws -> SealedStream.Header {
        try #require(SealedStream.Header([40] + ascending(80, 111) + ascending(112, 118)))
    }

    private static func text(_ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 9) }
    }

    private static func stream(_ key: [UInt8] = Self.key, _ context: [UInt8] = []) throws -> SealedStream {
        try SealedStream(key: key, header(), context: context)
    }

    private static func seal(_ text: [UInt8], _ stream: SealedStream) throws -> [UInt8] {
        let layout = SealedLayout(plainBytes: Int64(text.count))
        var sealed: [UInt8] = []
        for index in 0..<layout.segmentCount {
            let range = layout.plainRange(of: index)
            var segment = index == 0 ? stream.header.bytes : []
            segment += text[Int(range.lowerBound)..<Int(range.upperBound)]
            try stream.seal(&segment, at: index, isLast: layout.isLast(index))
            #expect(layout.sealedRange(of: index).count == segment.count)
            sealed += segment
        }
        return sealed
    }

    private static func open(_ sealed: [UInt8], _ stream: SealedStream) throws -> [UInt8] {
        let layout = try #require(SealedLayout(sealedBytes: Int64(sealed.count)))
        var text: [UInt8] = []
        for index in 0..<layout.segmentCount {
            let range = layout.sealedRange(of: index)
            var segment = Array(sealed[Int(range.lowerBound)..<Int(range.upperBound)])
            try stream.open(&segment, at: index, isLast: layout.isLast(index))
            text += segment[(index == 0 ? SealedStream.Header.count : 0)...]
        }
        return text
    }

    @Test("A key, a header and a text give the bytes that Tink gives")
    func knownAnswers() throws {
        let small = try Self.seal(Array("NeuroViews".utf8), Self.stream())
        #expect(
            Base64.padded.encode(small)
                == "KFBRUlNUVVZXWFlaW1xdXl9gYWJjZGVmZ2hpamtsbW5vcHFyc3R1dsg9Tmezl5FLA22sTKVrNS+U05sjdDmBc8Fq"
        )
        let large = try Self.seal(Self.text(2_097_081), Self.stream())
        #expect(large.count == 2_097_169)
        let digest = "257366e7ca407e3f9215d0300fff4a2c6c72846efaabbfd50835e1481fa04943"
        #expect(Hex.encode(SHA256.hash(large)) == digest)
        let details = try #require(
            Base64.padded.decode(
                "KICBgoOEhYaHiImKi4yNjo+QkZKTlJWWl5iZmpucnZ6foKGio6Slppl0HEiXxQQPmmhzxoxdgFGYnbKkgn2qqHvPA2K6/bwNJa0k9g=="
            )
        )
        let opened = try SealedStream.open(details, key: Self.key, context: Array("sealed_metadata".utf8))
        #expect(opened == Array(#"{"filename":"a.mov"}"#.utf8))
    }

    @Test(
        "A file that ends beside a segment's border opens as it was",
        arguments: [0, 1, full - 41, full - 40, full - 39, full, 2 * full - 40, 2 * full - 39]
    )
    func borders(count: Int) throws {
        let text = Self.text(count)
        let sealed = try Self.seal(text, Self.stream())
        #expect(try Self.open(sealed, Self.stream()) == text)
        let layout = SealedLayout(plainBytes: Int64(count))
        #expect(layout.sealedBytes == Int64(sealed.count))
        #expect(SealedLayout(sealedBytes: layout.sealedBytes) == layout)
    }

    @Test("Lengths that no stream has are refused")
    func lengths() {
        for bytes in [-1, 0, 55, (1 << 20) + 1, (1 << 20) + 16, (2 << 20) + 16, (1 << 52) + 1, .max] as [Int64] {
            #expect(SealedLayout(sealedBytes: bytes) == nil, "\(bytes)")
        }
        #expect(SealedLayout(sealedBytes: 1 << 52)?.segmentCount == 1 << 32)
    }

    @Test("A changed byte of any part does not open", arguments: [1, 33, 40, 1_048_575, 1_048_576, 2_097_152])
    func changed(place: Int) throws {
        var sealed = try Self.seal(Self.large, Self.stream())
        sealed[place] ^= 1
        let header = try #require(SealedStream.Header(Array(sealed.prefix(SealedStream.Header.count))))
        let stream = try SealedStream(key: Self.key, header, context: [])
        #expect(throws: CryptoError.self) { try Self.open(sealed, stream) }
    }

    @Test("Segments in another order, a missing end and bytes behind the end do not open")
    func moved() throws {
        let sealed = try Self.seal([UInt8](repeating: 7, count: 3 * Self.full), Self.stream())
        let parts = stride(from: 0, to: sealed.count, by: Self.segmentBytes).map {
            Array(sealed[$0..<min($0 + Self.segmentBytes, sealed.count)])
        }
        try #require(parts.count == 4)
        let swapped: [UInt8] = parts[0] + parts[2] + parts[1] + parts[3]
        let wrong: [[UInt8]] = [swapped, parts[0] + parts[1], sealed + parts[3]]
        for bytes in wrong { #expect(throws: CryptoError.self) { try Self.open(bytes, Self.stream()) } }
        #expect(throws: CryptoError.self) {
            var segment = parts[1]
            try Self.stream().open(&segment, at: 1 << 32, isLast: false)
        }
    }

    @Test("Another key, header or context does not open")
    func others() throws {
        let sealed = try Self.seal([1, 2, 3], Self.stream())
        let other = try SealedStream(key: Self.key, SealedStream.Header(), context: [])
        for stream in [try Self.stream(ascending(0, 31)), try Self.stream(Self.key, [1]), other] {
            #expect(throws: CryptoError.self) { try Self.open(sealed, stream) }
        }
        #expect(SealedStream.Header([41] + ascending(0, 38)) == nil)
        #expect(SealedStream.Header([40] + ascending(0, 37)) == nil)
    }

    @Test("Two headers differ, so that no two files share a nonce")
    func headers() throws {
        #expect(try SealedStream.Header() != SealedStream.Header())
        let sealed = try SealedStream.seal([7], key: Self.key, context: [2])
        #expect(try SealedStream.open(sealed, key: Self.key, context: [2]) == [7])
        #expect(throws: CryptoError.self) { try SealedStream.open(sealed, key: Self.key, context: []) }
        #expect(throws: CryptoError.self) {
            try SealedStream.seal(Self.large, key: Self.key, context: [])
        }
    }
}
