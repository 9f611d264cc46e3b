import Glibc
import Net

extension MediaBox {
    /// Measures a file with ffprobe. Throws like `run`.
    package func probe(_ file: MediaFile) async throws -> MediaOutcome<Probe> {
        guard let format = file.format else { return .failed(.typeNotRead) }
        guard let program = tools.ffprobe else { return .failed(.missing(program: "ffprobe")) }
        let sizeBytes = try Self.size(of: file.path)
        let outcome = try await run(program.path, input: file.path, limits: limits) { input, _ in
            FFmpegArguments.reading(format) + ["-show_entries", Probe.entries, "-of", "json=compact=1"]
                // Only a picture's frame contains its rotation.
                + (format.hasDuration ? [] : ["-show_frames", "-read_intervals", "%+#1"]) + ["-i", input]
        }
        return outcome.flatMap { json in
            Probe(json: json, format: format, sizeBytes: sizeBytes).map { .made($0) }
                ?? .failed(.unreadable("no picture or sound of a possible size"))
        }
    }

    private static func size(of path: String) throws(SystemError) -> Int64 {
        var status = stat()
        guard stat(path, &status) == 0 else { throw SystemError(call: "stat", code: errno) }
        return Int64(status.st_size)
    }
}
