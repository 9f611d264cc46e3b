import Glibc
import Net

/// The installed programs for media files. A server without them still stores recordings.
package struct MediaTools: Sendable, Equatable {
    /// An installed program.
    package struct Tool: Sendable, Equatable {
        /// The program's path.
        package let path: String
        /// The version that it prints, at most 64 characters: "5.1.9-0+deb12u1".
        package let version: String
    }

    /// ffprobe measures files.
    package let ffprobe: Tool?
    /// ffmpeg makes thumbnails and previews.
    package let ffmpeg: Tool?
    /// heif-info measures HEIC photos. ffmpeg 5.1 can't read them.
    package let heifInfo: Tool?
    /// heif-thumbnailer makes small pictures of HEIC photos.
    package let heifThumbnailer: Tool?
    /// bubblewrap makes namespaces.
    package let bubblewrap: Tool?
    let limits: LimitTools?

    /// True if limits can be set (nice, setpriv, prlimit, choom). Nothing runs without them.
    package var canLimit: Bool { limits != nil }

    /// The default folders for programs.
    package static let usualFolders = ["/usr/local/bin", "/usr/bin", "/bin"]

    /// Searches the folders and runs the found programs for their versions. Blocks for some tenths of a second.
    package static func find(in folders: [String] = usualFolders) -> MediaTools {
        let heifInfo = tool("heif-info", "--help", folders)
        return MediaTools(
            ffprobe: tool("ffprobe", "-version", folders),
            ffmpeg: tool("ffmpeg", "-version", folders),
            heifInfo: heifInfo,
            // It does not print its version, which is that of its library.
            heifThumbnailer: path("heif-thumbnailer", folders).map {
                Tool(path: $0, version: heifInfo?.version ?? "?")
            },
            bubblewrap: tool("bwrap", "--version", folders),
            limits: LimitTools { path($0, folders) }
        )
    }

    /// True if the programs that measure and show such a file are installed.
    func canExamine(_ file: MediaFile) -> Bool {
        let needed = file.format == .heif ? [heifInfo, heifThumbnailer, ffmpeg] : [ffprobe, ffmpeg]
        return needed.allSatisfy { $0 != nil }
    }

    private static func path(_ name: String, _ folders: [String]) -> String? {
        folders.map { "\($0)/\(name)" }.first { access($0, X_OK) == 0 }
    }

    private static func tool(_ name: String, _ question: String, _ folders: [String]) -> Tool? {
        guard let path = path(name, folders) else { return nil }
        var limits = BoxLimits()
        limits.timeSeconds = 10
        guard let end = try? BoxedRun.run([path, question], limits, Cancellation()), end.status == 0 else { return nil }
        // "ffprobe version 5.1.9-0+deb12u1 Copyright …", "bubblewrap 0.8.0", " heif-info  libheif version: 1.15.1"
        let text = end.output.isEmpty ? end.complaint : String(decoding: end.output, as: UTF8.self)
        let words = text.prefix { !$0.isNewline }.split(separator: " ").dropFirst()
        let version = words.first { $0.contains { $0.isNumber } } ?? "?"
        return Tool(path: path, version: String(version.prefix(64)))
    }
}
