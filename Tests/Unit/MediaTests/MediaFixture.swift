import Foundation
import Net
import TestSupport
import Testing

@testable import Media

extension Trait where Self == ConditionTrait {
    /// For tests that run ffmpeg.
    static var needsFFmpeg: Self {
        .enabled(if: MediaFixture.tools.ffmpeg != nil && MediaFixture.tools.ffprobe != nil, "ffmpeg is not installed")
    }

    /// For tests that read HEIC photos.
    static var needsHEIF: Self { .enabled(if: MediaFixture.readsHEIF, "libheif's programs are not installed") }

    /// For tests of the accesses that bubblewrap prevents.
    static var needsWalls: Self {
        .enabled("bubblewrap is not installed, or user namespaces are not allowed here") {
            try await MediaFixture.box(.asAllowed).problem == nil
        }
    }
}

/// Values that the tests of a box share.
enum MediaFixture {
    static let tools = MediaTools.find()
    static let readsHEIF = tools.heifInfo != nil && tools.heifThumbnailer != nil
    static let pool = Result { try BlockingPool(threads: 4, queueMax: 100) }

    private static let asAllowed = Task {
        try await MediaBox(tools: tools, pool: try pool.get(), allowsNoWalls: true)
    }
    private static let limitsAlone = Task {
        try await MediaBox(tools: tools.without(\.bubblewrap), pool: try pool.get(), allowsNoWalls: true)
    }

    /// Returns a shared box. Other machines may have only the box without walls.
    static func box(_ kind: BoxKind) async throws -> MediaBox {
        try #require(try await (kind == .asAllowed ? asAllowed : limitsAlone).value)
    }

    /// A new file with these bytes.
    static func file(_ name: String, _ bytes: [UInt8]) throws -> String {
        let path = Sandbox.makeFolder() + "/" + name
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        return path
    }

    static func bytes(_ path: String) throws -> [UInt8] { [UInt8](try Data(contentsOf: URL(fileURLWithPath: path))) }

    private static let encoded = Locked<[[String]: String]>([:])

    /// Makes a file with ffmpeg, without a box, because the file is trusted. It is the same file for the same arguments:
    /// tests read it only.
    static func encode(_ name: String, _ arguments: [String]) throws -> String {
        try encoded.withLock { known in
            if let path = known[[name] + arguments] { return path }
            let path = Sandbox.makeFolder() + "/" + name
            let ffmpeg = try #require(tools.ffmpeg)
            let program = try Program.run([ffmpeg.path, "-v", "error", "-nostdin", "-y"] + arguments + [path])
            try #require(program.status == 0, "\(program.complaint)")
            known[[name] + arguments] = path
            return path
        }
    }

    /// A box without one of the programs.
    static func box(without missing: KeyPath<MediaTools, MediaTools.Tool?>) async throws -> MediaBox {
        try #require(
            try await MediaBox(tools: tools.without(missing), pool: try pool.get(), allowsNoWalls: true)
        )
    }

    /// The number of bytes of a picture as red, green and blue. In a test, the product takes the compiler seconds.
    static func rgbCount(_ width: Int, _ height: Int) -> Int { width * height * 3 }

    /// The picture as red, green and blue bytes.
    static func pixels(_ jpeg: [UInt8]) throws -> [UInt8] {
        let ffmpeg = try #require(tools.ffmpeg)
        let input = try file("picture.jpg", jpeg)
        let raw = ["-f", "rawvideo", "-pix_fmt", "rgb24", "pipe:1"]
        return try Program.run([ffmpeg.path, "-v", "error", "-f", "jpeg_pipe", "-i", input] + raw).outputBytes
    }
}

/// Both kinds of box.
enum BoxKind: CaseIterable, Sendable {
    case asAllowed, limitsAlone
}

extension MediaTools {
    /// The tools without this one, as if it were not installed.
    func without(_ missing: KeyPath<MediaTools, Tool?>) -> MediaTools {
        MediaTools(
            ffprobe: missing == \.ffprobe ? nil : ffprobe,
            ffmpeg: missing == \.ffmpeg ? nil : ffmpeg,
            heifInfo: missing == \.heifInfo ? nil : heifInfo,
            heifThumbnailer: missing == \.heifThumbnailer ? nil : heifThumbnailer,
            bubblewrap: missing == \.bubblewrap ? nil : bubblewrap,
            limits: limits
        )
    }
}
