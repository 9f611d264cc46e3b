import Media
import Net
import NeuroViewsJSON
import Synchronization

/// The results of examining a file.
struct MediaFindings: Sendable {
    /// Nil: nothing could be measured.
    var probe: JSONValue?
    /// Nil: none was made.
    var thumbnailBytes: Int?
    /// For the log: the reasons why something is missing.
    var notes: [String] = []
}

/// A file whose programs could not be isolated.
package struct UnwalledFile: Sendable, Equatable {
    /// Why there is no isolation.
    package let reason: String
    /// True if the file was decoded all the same, since the operator accepts the risk.
    package let isDecoded: Bool
}

/// Measures files and makes pictures of them. The box is made for the first file: servers without recordings start no
/// program. Only a box with walls is kept: without them, each job tries again. Programs may be installed at any time.
package final class MediaLaboratory: Sendable {
    private let pool: BlockingPool
    private let allowsNoWalls: Bool
    private let find: @Sendable () -> MediaTools
    private let report: @Sendable (UnwalledFile) -> Void
    private let box = Locked<Task<MediaBox?, any Error>?>(nil)
    /// True if this process has made walls before. They are missing for a while, then, and not by this machine's rules.
    private let hadWalls = Atomic(false)

    /// Runs programs on the pool's threads, one on each. `find` searches for the programs. With `allowsNoWalls`, files
    /// are decoded without isolation where there is none.
    package init(
        pool: BlockingPool,
        allowsNoWalls: Bool = false,
        find: @escaping @Sendable () -> MediaTools = { MediaTools.find() },
        report: @escaping @Sendable (UnwalledFile) -> Void = { _ in }
    ) {
        self.pool = pool
        self.allowsNoWalls = allowsNoWalls
        self.find = find
        self.report = report
    }

    /// The reason why ffmpeg runs without isolation, or not at all; nil if it is isolated. Throws if this machine can't
    /// start it.
    package func problem() async throws -> String? {
        do {
            guard let box = try await openBox() else { return "ffmpeg is not installed" }
            return box.problem
        } catch let missing as MissingWalls {
            return missing.description
        }
    }

    /// Measures a file and makes its thumbnail; of sound none. Results that the file does not allow are left out, and
    /// all of them on a machine without walls. Throws if this machine fails, also to make the walls that it had; at the
    /// last try a thumbnail that this machine can't make is left out.
    func examine(
        _ file: MediaFile,
        isLast: Bool = false
    ) async throws -> (findings: MediaFindings, thumbnail: [UInt8]?) {
        do {
            return try await withBox(for: file) { box in
                guard let box else { return (MediaFindings(notes: ["ffmpeg is not installed"]), nil) }
                return try await Self.examine(file, in: box, isLast)
            }
        } catch let missing as MissingWalls where !hadWalls.load(ordering: .relaxed) {
            return (MediaFindings(notes: ["not decoded: \(missing)"]), nil)
        }
    }

    private static func examine(
        _ file: MediaFile,
        in box: MediaBox,
        _ isLast: Bool
    ) async throws -> (findings: MediaFindings, thumbnail: [UInt8]?) {
        let probe = try await box.probe(file)
        var thumbnail: MediaOutcome<[UInt8]>?
        if file.format?.hasPicture == true, probe.failure?.wasStopped != true {
            do {
                thumbnail = try await box.thumbnail(of: file, hdr: probe.value?.hdr, track: probe.value?.videoTrack)
            } catch let error as MediaBoxError where isLast {
                thumbnail = .failed(.unreadable(error.description))
            }
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

    /// Makes a preview in a new file at `path`. Returns the reason if there is none. Throws if this machine fails, and
    /// `MissingWalls`: nothing waits for a preview, so it is tried again later.
    func preview(of file: MediaFile, to path: String, _ limits: PreviewLimits) async throws -> MediaFailure? {
        try await withBox(for: file) { box in
            guard let box else { return .missing(program: "ffmpeg") }
            return try await box.preview(of: file, to: path, limits: limits).failure
        }
    }

    /// Runs `body` for one file, with nil if ffmpeg is not installed. Reports missing walls.
    private func withBox<T>(for file: MediaFile, _ body: (MediaBox?) async throws -> T) async throws -> T {
        do {
            let box = try await openBox(for: file)
            if let reason = box?.problem { report(UnwalledFile(reason: reason, isDecoded: true)) }
            return try await body(box)
        } catch let missing as MissingWalls {
            report(UnwalledFile(reason: missing.description, isDecoded: false))
            throw missing
        } catch let error as MediaBoxError {
            // Walls that could be made before may be impossible now.
            box.withLock { $0 = nil }
            throw error
        }
    }

    /// Makes a new box if the kept one lacks a program for the file: it may have been installed since.
    private func openBox(for file: MediaFile) async throws -> MediaBox? {
        if let kept = box.withLock({ $0 }), try await kept.value?.canExamine(file) == false { forget(kept) }
        return try await openBox()
    }

    private func openBox() async throws -> MediaBox? {
        let task = box.withLock { [pool, find, allowsNoWalls] box in
            if let task = box { return task }
            let task = Task {
                try await MediaBox(tools: try await pool.run(find), pool: pool, allowsNoWalls: allowsNoWalls)
            }
            box = task
            return task
        }
        do {
            let opened = try await task.value
            if let opened, opened.problem == nil {
                hadWalls.store(true, ordering: .relaxed)
            } else {
                forget(task)
            }
            return opened
        } catch {
            forget(task)
            throw error
        }
    }

    private func forget(_ task: Task<MediaBox?, any Error>) {
        box.withLock { if $0 == task { $0 = nil } }
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
