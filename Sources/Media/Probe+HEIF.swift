extension Probe {
    /// Brands of files with this codec (ISO/IEC 23008-12, Annex B; AV1 Image File Format).
    private static let codecs = [
        "heic": "hevc", "heix": "hevc", "heim": "hevc", "heis": "hevc", "hevc": "hevc", "hevx": "hevc", "hevm": "hevc",
        "hevs": "hevc", "avif": "av1", "avis": "av1",
    ]

    /// Reads heif-info's output; nil without a primary picture of a plausible size. The size is that of the shown
    /// picture, after turns and cuts.
    ///
    ///     main brand: heic
    ///     compatible brands: mif1, heic, miaf
    ///
    ///     image: 4032x3024 (id=49), primary
    init?(heifInfo text: String, sizeBytes: Int64) {
        let lines = text.split(whereSeparator: \.isNewline)
        guard let picture = lines.first(where: { $0.hasPrefix("image: ") && $0.contains(", primary") }) else {
            return nil
        }
        let sides = picture.dropFirst("image: ".count).prefix { $0 != " " }.split(separator: "x").compactMap { Int($0) }
        guard sides.count == 2, Self.isPlausible(width: sides[0], height: sides[1]) else { return nil }
        let brands = lines.filter { $0.hasPrefix("main brand: ") || $0.hasPrefix("compatible brands: ") }
            .flatMap { $0.split { $0 == " " || $0 == "," } }
        (width, height) = (sides[0], sides[1])
        self.sizeBytes = sizeBytes
        container = MediaFormat.heif.rawValue
        videoCodec = brands.lazy.compactMap { Self.codecs[String($0)] }.first
        (durationSeconds, frameRate, hdr, audioCodec, videoTrack, audioTrack) = (nil, nil, nil, nil, nil, nil)
    }
}
