import TestSupport
import Testing

@testable import Media

/// A HEIC photo as phones make it: tiles of HEVC in a grid, with properties such as a turn (ISO/IEC 23008-12). heif-enc
/// makes neither.
struct HEICFile {
    /// Each tile is 320 by 180 pixels. Its left half is red, its right half is blue.
    var columns = 1
    var rows = 1
    /// Boxes of the shown picture, such as `turn`.
    var properties: [[UInt8]] = []

    /// Quarter turns against the clock.
    static func turn(_ quarters: UInt8) -> [UInt8] { box("irot", [quarters]) }

    /// A cut to the middle.
    static func cut(width: UInt32, height: UInt32) -> [UInt8] { box("clap", numbers(width, 1, height, 1, 0, 1, 0, 1)) }

    func make() throws -> MediaFile {
        let movie = try MediaFixture.bytes(try MediaFixture.encode("tile.mp4", Self.tile))
        let tile = Array(try Self.find("mdat", in: movie).dropFirst(8))
        let type = Self.box("ftyp", Array("heic".utf8), [0, 0, 0, 0], Array("mif1heic".utf8))
        let codec = try Self.find("hvcC", in: movie)
        let start = type.count + meta(codec, tile: 0, bytes: tile.count).count + 8
        let bytes = type + meta(codec, tile: UInt32(start), bytes: tile.count) + Self.box("mdat", tile)
        return MediaFile(path: try MediaFixture.file("photo.heic", bytes), contentType: "image/heic")
    }

    private static let tile = [
        "-f", "lavfi", "-i", "color=red:s=160x180:r=25,format=rgb24,pad=320:180:0:0:blue", "-frames:v", "1",
        "-c:v", "libx265", "-x265-params", "log-level=error", "-pix_fmt", "yuv420p", "-tag:v", "hvc1",
    ]

    private var tiles: Int { columns * rows }
    private var hasGrid: Bool { tiles > 1 }
    /// The number of the shown picture.
    private var primary: Int { hasGrid ? tiles + 1 : 1 }

    private func meta(_ codec: [UInt8], tile: UInt32, bytes: Int) -> [UInt8] {
        var items = (1...tiles).map { Self.full("infe", 2, Self.shorts($0, 0), Array("hvc1\0".utf8)) }
        var places = (1...tiles).flatMap { Self.shorts($0, 0, 0, 1) + Self.numbers(tile, UInt32(bytes)) }
        if hasGrid {
            items.append(Self.full("infe", 2, Self.shorts(primary, 0), Array("grid\0".utf8)))
            places += Self.shorts(primary, 1, 0, 1) + Self.numbers(0, 8)
        }
        let size = Self.shorts(columns * 320, rows * 180)
        let grid = Self.box("idat", [0, 0, UInt8(rows - 1), UInt8(columns - 1)] + size)
        let parts = Self.box("dimg", Self.shorts(primary, tiles), (1...tiles).flatMap { Self.shorts($0) })
        return Self.full(
            "meta",
            0,
            Self.full("hdlr", 0, [0, 0, 0, 0], Array("pict".utf8), [UInt8](repeating: 0, count: 13)),
            Self.full("pitm", 0, Self.shorts(primary)),
            Self.full("iloc", 1, [0x44, 0], Self.shorts(items.count), places),
            Self.full("iinf", 0, Self.shorts(items.count), Array(items.joined())),
            propertyBoxes(codec),
            hasGrid ? Self.full("iref", 0, parts) + grid : []
        )
    }

    private func propertyBoxes(_ codec: [UInt8]) -> [UInt8] {
        let tile = Self.full("ispe", 0, Self.numbers(320, 180))
        let picture = Self.full("ispe", 0, Self.numbers(UInt32(columns * 320), UInt32(rows * 180)))
        let boxes = [codec, tile, picture] + properties
        let own = (0..<properties.count).map { UInt8(0x84 + $0) }
        var uses = (1...tiles).map { Self.shorts($0) + [UInt8(hasGrid ? 2 : 2 + own.count), 0x81, 2] }
        if hasGrid { uses.append(Self.shorts(primary) + [UInt8(1 + own.count), 3]) }
        uses[uses.count - 1] += own
        let table = Self.full("ipma", 0, Self.numbers(UInt32(uses.count)), Array(uses.joined()))
        return Self.box("iprp", Self.box("ipco", Array(boxes.joined())), table)
    }

    /// The first box of that name, wherever it is.
    private static func find(_ name: String, in movie: [UInt8]) throws -> [UInt8] {
        let start = try #require(movie.firstRange(of: Array(name.utf8))?.lowerBound) - 4
        let count = movie[start..<start + 4].reduce(0) { $0 << 8 | Int($1) }
        return Array(movie[start..<start + count])
    }

    private static func box(_ name: String, _ parts: [UInt8]...) -> [UInt8] {
        let body = Array(parts.joined())
        return numbers(UInt32(body.count + 8)) + Array(name.utf8) + body
    }

    /// A box with a version and no flags.
    private static func full(_ name: String, _ version: UInt8, _ parts: [UInt8]...) -> [UInt8] {
        box(name, [version, 0, 0, 0] + Array(parts.joined()))
    }

    private static func numbers(_ numbers: UInt32...) -> [UInt8] { numbers.flatMap(\.bigEndianBytes) }

    private static func shorts(_ numbers: Int...) -> [UInt8] { numbers.flatMap { UInt16($0).bigEndianBytes } }
}
