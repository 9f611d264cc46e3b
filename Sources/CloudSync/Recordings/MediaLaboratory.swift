import JSON
import Media
import Net

/// The results of examining a file.
struct MediaFindings: Sendable {
    /// Nil: nothing could be measured.
    var probe: JSONValue?
    /// Nil: none was made.
    var thumbnailBytes: Int?
    /// For the log: the reasons why something is missing.
    var notes: [String] = []
}

/// Measures files and makes pictures of them. The box is made for the first file: servers without recordings start no
/// program.
package final class MediaLaboratory: Sendable {
    private let pool: BlockingPool
    private let find: @Sendable () -> MediaTools
    private let box = Locked<Task<MediaBox?, any Error>?>(nil)

    /// Runs programs on the pool's threads, one on each. `find` searches for the programs.
    package init(pool: BlockingPool, find: @escaping @Sendable () -> MediaTools = { MediaTools.find() }) {
        self.pool = pool
        self.find = find
    }

    /// The reason why ffmpeg runs without isolation, or not at all; nil if it is isolated. Throws if this machine can't
    /// start it.
    package func problem() async throws -> String? {
        guard let box = try await openBox() else { return "ffmpeg is not installed" }
        return box.problem
    }

    /// Measures a file and makes its thumbnail; of sound none. Results that the file does not allow are left out.
    /// Throws if this machine fails.
    func examine(_ file: MediaFile) async throws -> (findings: MediaFindings, thumbnail: [UInt8]?) {
        guard let box = try await openBox() else {
            return (MediaFindings(notes: ["ffmpeg is not installed"]), nil)
        }
        let probe = try await box.probe(file)
        var thumbnail: MediaOutcome<[UInt8]>?
        if file.format?.hasPicture == true {
            thumbnail = try await box.thumbnail(of: file, hdr: probe.value?.hdr, track: probe.value?.videoTrack)
        }
        let findings = MediaFindings(
            probe: probe.value.map(\.json),
            thumbnailBytes: thumbnail?.value?.count,
            notes: [probe.failure.map { "probe: \($0)" }, thumbnail?.failure.map { "thumbnail: \($0)" }].compactMap {
                $0
            }
        )
        return (findings, thumbnail?.value)
    }

    /// Makes a preview in a new file at `path`. Returns the reason if there is none. Throws if this machine fails.
    func preview(of file: MediaFile, to path: String, _ limits: PreviewLimits) async throws -> MediaFailure? {
        guard let box = try await openBox() else { return .missing(program: "ffmpeg") }
        return try await box.preview(of: file, to: path, limits: limits).failure
    }

    private func openBox() async throws -> MediaBox? {
        let task = box.withLock { [pool, find] box in
            if let task = box { return task }
            let task = Task { try await MediaBox(tools: try await pool.run(find), pool: pool) }
            box = task
            return task
        }
        do {
            return try await task.value
        } catch {
            box.withLock { $0 = nil }
            throw error
        }
    }
}

extension Probe {
    /// The JSON of a recording's document; null for missing values.
    fileprivate var json: JSONValue {
        func number(_ value: Double?) -> JSONValue {
            value.flatMap { JSONNumber("\($0)") }.map { .number($0) } ?? .null
        }
        func integer(_ value: Int?) -> JSONValue { value.map { .number(JSONNumber(Int64($0))) } ?? .null }
        func text(_ value: String?) -> JSONValue { value.map { .string($0) } ?? .null }
        return .object(
            JSONObject([
                .init(name: "container", value: .string(container)),
                .init(name: "file_size", value: .number(JSONNumber(sizeBytes))),
                .init(name: "duration", value: number(durationSeconds)),
                .init(name: "width", value: integer(width)),
                .init(name: "height", value: integer(height)),
                .init(name: "frame_rate", value: number(frameRate)),
                .init(name: "video_codec", value: text(videoCodec)),
                .init(name: "audio_codec", value: text(audioCodec)),
            ])
        )
    }
}
