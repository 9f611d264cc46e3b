/// A JPEG that may have a colour profile (ICC). ffmpeg copies the profile of a photo into its thumbnail, so that the
/// colours of wide gamuts stay. But it also copies large profiles, and those of grey and CMYK photos into RGB.
struct ProfiledJPEG {
    /// The limit of a profile in a thumbnail. Those of cameras and screens have a few hundred bytes.
    static let profileMaxBytes = 64 << 10
    /// The most that a JPEG can have: 255 segments.
    static let profileLimitBytes = 255 << 16

    /// The marker APP2, the length of the segment, the name, and the segment's number and count. Then the profile.
    private static let name = Array("ICC_PROFILE\0".utf8)
    private static let headBytes = 4 + name.count + 2
    /// The place of the colour space in a profile.
    private static let space = 16..<20

    private let bytes: [UInt8]
    private var segments: [Range<Int>] = []

    /// Finds the segments of the profile.
    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        var start = 2
        // The picture begins after the marker DA.
        while start + 4 <= bytes.count, bytes[start] == 0xFF, bytes[start + 1] != 0xDA {
            let length = Int(bytes[start + 2]) << 8 | Int(bytes[start + 3])
            let end = start + 2 + length
            guard length >= 2, end <= bytes.count else { return }
            let isProfile = bytes[start + 1] == 0xE2 && bytes[(start + 4)..<end].starts(with: Self.name)
            if isProfile { segments.append(start..<end) }
            start = end
        }
    }

    /// The JPEG without a profile that is large, or is not of RGB.
    var suitable: [UInt8] {
        guard let first = segments.first else { return bytes }
        let isRGB = bytes[first].dropFirst(Self.headBytes + Self.space.lowerBound).prefix(Self.space.count)
            .elementsEqual("RGB ".utf8)
        let profileBytes = segments.reduce(0) { $0 + $1.count }
        return isRGB && profileBytes <= Self.profileMaxBytes ? bytes : withoutProfile
    }

    private var withoutProfile: [UInt8] {
        var bytes = bytes
        for segment in segments.reversed() { bytes.removeSubrange(segment) }
        return bytes
    }
}
