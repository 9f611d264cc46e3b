import TestSupport
import Testing

@testable import Media

@Suite("Colour profiles", .blocking, .needsFFmpeg, .timeLimit(.minutes(Patience.minutes(5))))
struct ProfileTests {
    private static let name = Array("ICC_PROFILE\0".utf8)

    /// A profile of this colour space without tags. Its header is whole (ICC.1, section 7.2), since libpng checks it.
    private func profile(_ space: String, bytes: Int) -> [UInt8] {
        var profile = [UInt8](repeating: 0, count: bytes)
        func write(_ part: [UInt8], at start: Int) { profile.replaceSubrange(start..<(start + part.count), with: part) }
        write(UInt32(bytes).bigEndianBytes, at: 0)
        write(Array("mntr\(space)XYZ ".utf8), at: 12)
        write(Array("acsp".utf8), at: 36)
        // The light D50.
        write([0, 0, 0xF6, 0xD6, 0, 1, 0, 0, 0, 0, 0xD3, 0x2D], at: 68)
        return profile
    }

    /// A photo with the profile, in as many segments as it needs.
    private func photo(_ profile: [UInt8]) throws -> String {
        let picture = ["-f", "lavfi", "-i", "color=red:s=320x240", "-frames:v", "1", "-pix_fmt", "yuvj420p"]
        let plain = try MediaFixture.bytes(try MediaFixture.encode("plain.jpg", picture))
        let partBytes = 65_000
        let count = (profile.count + partBytes - 1) / partBytes
        var photo = Array(plain[..<2])
        for number in 0..<count {
            let part = Array(profile.dropFirst(number * partBytes).prefix(partBytes))
            let content = Self.name + [UInt8(number + 1), UInt8(count)] + part
            photo += [0xFF, 0xE2] + UInt16(content.count + 2).bigEndianBytes + content
        }
        return try MediaFixture.file("photo.jpg", photo + Array(plain[2...]))
    }

    private func thumbnail(_ path: String, _ type: String = "image/jpeg") async throws -> [UInt8] {
        let file = MediaFile(path: path, contentType: type)
        return try #require(try await MediaFixture.box(.asAllowed).thumbnail(of: file).value)
    }

    @Test("A thumbnail has the colour profile of its photo")
    func kept() async throws {
        let profile = profile("RGB ", bytes: 600)
        let thumbnail = try await thumbnail(try photo(profile))
        #expect(thumbnail.firstRange(of: profile) != nil)
        #expect(try MediaFixture.pixels(thumbnail).count == MediaFixture.rgbCount(320, 240))
    }

    @Test("A thumbnail has the colour profile of its HEIC photo", .needsHEIF)
    func heic() async throws {
        let profile = profile("RGB ", bytes: 600)
        let path = Sandbox.makeFolder() + "/photo.heic"
        let program = try Program.run(["heif-enc", try photo(profile), "-o", path])
        try #require(program.status == 0, "\(program.complaint)")
        #expect(try await thumbnail(path, "image/heic").firstRange(of: profile) != nil)
    }

    @Test(
        "A profile that is large, or not of RGB, is left out of the thumbnail",
        arguments: [("RGB ", 600_000), ("CMYK", 550_000), ("CMYK", 600), ("GRAY", 600)]
    )
    func leftOut(space: String, bytes: Int) async throws {
        let thumbnail = try await thumbnail(try photo(profile(space, bytes: bytes)))
        #expect(thumbnail.firstRange(of: Self.name) == nil)
        #expect(thumbnail.count <= MediaBox.thumbnailMaxBytes)
        #expect(try MediaFixture.pixels(thumbnail).count == MediaFixture.rgbCount(320, 240))
    }
}
