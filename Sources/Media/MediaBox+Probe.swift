import Glibc
import Net

extension MediaBox {
    /// Other decoders that ffprobe may open for one file, each perhaps in a run of its own.
    private static let furtherDecodersMax = 8
    /// Processor time of a probe. Real files need less than a second; one that was made to be slow keeps a worker.
    private static let probeCPUSeconds = 10

    /// The limits of a probe that began so many seconds ago, perhaps with other runs.
    func probeLimits(afterSeconds seconds: Int = 0) -> BoxLimits {
        var limits = limits
        limits.cpuSeconds = max(1, min(limits.cpuSeconds, Self.probeCPUSeconds) - seconds)
        return limits
    }

    /// Measures a file with ffprobe, a HEIC photo with heif-info. Throws like `run`.
    package func probe(_ file: MediaFile) async throws -> MediaOutcome<Probe> {
        guard let format = file.format else { return .failed(.typeNotRead) }
        if format == .heif { return try await probeHEIF(file) }
        guard let program = tools.ffprobe else { return .failed(.missing(program: "ffprobe")) }
        let sizeBytes = try Self.size(of: file.path)
        return try await describe(file, format, program.path).flatMap { json in
            Probe(json: json, format: format, sizeBytes: sizeBytes).map { .made($0) }
                ?? .failed(.unreadable("no picture or sound of a possible size"))
        }
    }

    /// ffprobe opens a decoder for each track, and fails if one is not on its list, even for a subtitle. Then it runs
    /// again and may open these decoders, too. No frame reaches them: those of movies and sound are not shown. All runs
    /// together have the time of one: a program of one thread uses no more processor time than passes. On a busy machine
    /// it uses less, so each run has at least a second. (bubblewrap does not wait for its child, so the time used is
    /// not known.)
    private func describe(
        _ file: MediaFile,
        _ format: MediaFormat,
        _ program: String
    ) async throws -> MediaOutcome<[UInt8]> {
        var further: [String] = []
        let startMs = Monotonic.nowMs()
        while true {
            let limits = probeLimits(afterSeconds: Int((Monotonic.nowMs() - startMs) / 1000))
            let end = try await end(program, input: file.path, limits: limits) { [further] input, _ in
                FFmpegArguments.reading(format) + FFmpegArguments.opening(further)
                    + ["-show_entries", Probe.entries, "-of", "json=compact=1"]
                    // Only a picture's frame contains its rotation.
                    + (format.hasDuration ? [] : ["-show_frames", "-read_intervals", "%+#1"]) + ["-i", input]
            }
            let refused = end.refusedDecoders.filter { !further.contains($0) }
            further += refused
            guard end.status == 1, format.hasDuration, !refused.isEmpty, further.count <= Self.furtherDecodersMax else {
                return try end.judged()
            }
        }
    }

    static func size(of path: String) throws(SystemError) -> Int64 {
        var status = stat()
        guard stat(path, &status) == 0 else { throw SystemError(call: "stat", code: errno) }
        return Int64(status.st_size)
    }
}

extension BoxedRun.End {
    /// The decoders that ffprobe refused: "[mov_text @ 0x5581] Codec (mov_text) not on whitelist 'h264,hevc'".
    fileprivate var refusedDecoders: [String] {
        var names: [String] = []
        for line in complaint.split(whereSeparator: \.isNewline) {
            guard let start = line.firstRange(of: "Codec ("), let end = line.firstRange(of: ") not on whitelist '"),
                start.upperBound < end.lowerBound
            else { continue }
            let name = String(line[start.upperBound..<end.lowerBound])
            let isName = name.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x7A).contains($0) || $0 == 0x5F }
            if isName, !names.contains(name) { names.append(name) }
        }
        return names
    }
}
