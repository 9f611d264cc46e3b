import CommandWords
import NeuroViewsClient

/// Follows an upload to its end, with a bar, or with a line of JSON for each state.
struct UploadFollowing {
    static let columns = ["ID", "FILE", "STATE", "NOTE"]

    /// The uploads that were followed, by their ends.
    struct Counts {
        var done = 0
        /// All was sent, and the receipt comes later.
        var verifying = 0
        var failed = 0
    }

    private enum End {
        case done, verifying
    }

    private let output: Output
    /// True for the uploads of a sync, whose result has their numbers only.
    private let isQuiet: Bool
    private var bar: ProgressBar
    private var patience: UploadPatience
    private var lastWord = ""

    private init(_ upload: Upload, _ output: Output, isQuiet: Bool, _ patience: UploadPatience) {
        (self.output, self.isQuiet, self.patience) = (output, isQuiet, patience)
        bar = ProgressBar(upload.file.lastPathComponent, in: output)
    }

    /// Follows each upload until the server has verified it.
    static func follow(_ uploads: [Upload], _ device: NeuroViews, _ output: Output) async throws(Failure) -> Ending {
        try await follow(uploads, device, output, for: .upload).failed > 0 ? .undone : .done
    }

    /// Follows each upload. One that fails ends the command, unless there are others, or a sync: then it is reported.
    static func follow(
        _ uploads: [Upload],
        _ device: NeuroViews,
        _ output: Output,
        for purpose: UploadPatience.Purpose
    ) async throws(Failure) -> Counts {
        var counts = Counts()
        if uploads.isEmpty { return counts }
        await device.start()
        for upload in uploads {
            // All are verified at the same time, so that only the first one is waited for.
            let patience = UploadPatience(purpose, receipt: counts.verifying == 0 ? UploadPatience.syncReceipt : .zero)
            do throws(Failure) {
                var following = UploadFollowing(upload, output, isQuiet: purpose == .sync, patience)
                switch try await following.run(upload, device) {
                case .done: counts.done += 1
                case .verifying: counts.verifying += 1
                }
            } catch {
                let isReported = purpose == .sync || uploads.count > 1
                guard isReported, !error.isStopped, Interruption.status == nil else { throw error }
                output.failure(error, status: error.status.rawValue)
                counts.failed += 1
            }
        }
        await device.stop()
        return counts
    }

    private mutating func run(_ upload: Upload, _ device: NeuroViews) async throws(Failure) -> End {
        defer { bar.end() }
        for await step in Self.steps(of: upload, device) {
            let now = ContinuousClock.now
            guard let state = step else {
                if try obey(patience.look(at: now), upload) { return .verifying }
                continue
            }
            show(state)
            switch state.state {
            case .done:
                finish(state)
                return .done
            case .failed(let failure): throw Self.failure(failure, state)
            case .paused:
                throw Failure(
                    "\(state.file.path) is paused: neuroviews uploads resume \(state.id.text) goes on.",
                    .busy
                )
            default:
                let verdict = patience.take(state.state, sent: state.sent, state.interruption, at: now)
                if try obey(verdict, state) { return .verifying }
            }
        }
        // The stream ends early if the task is cancelled, or another process has removed the upload.
        throw Interruption.status == nil
            ? Failure("\(upload.file.path) is no longer among the uploads.", .noInput) : .stopped
    }

    /// The states of an upload, and nil each second.
    private static func steps(of upload: Upload, _ device: NeuroViews) -> AsyncStream<Upload?> {
        AsyncStream { listener in
            let following = Task {
                for await state in device.progress(of: upload.id) { listener.yield(state) }
                listener.finish()
            }
            let ticking = Task {
                while (try? await Task.sleep(for: .seconds(1))) != nil { listener.yield(nil) }
            }
            listener.onTermination = { _ in
                following.cancel()
                ticking.cancel()
            }
        }
    }

    private mutating func show(_ upload: Upload) {
        bar.show(upload.state.word, upload.sent, of: upload.size)
        guard output.isJSON, !isQuiet, upload.state.word != lastWord else { return }
        lastWord = upload.state.word
        output.result(upload.json, "")
    }

    private mutating func finish(_ upload: Upload) {
        bar.end()
        guard !output.isJSON, !isQuiet else { return }
        let row = [
            upload.id.text, upload.file.path, upload.state.word,
            upload.mayDeleteFile ? "the local file may go" : "another file is there now",
        ]
        output.result(.null, Table(Self.columns, [row]).text(isForTerminal: false))
    }

    /// Returns true if the receipt is not waited for any longer.
    private mutating func obey(_ verdict: UploadPatience.Verdict, _ upload: Upload) throws(Failure) -> Bool {
        switch verdict {
        case .goOn: return false
        case .leave: return true
        case .explain:
            bar.end()
            output.remark(
                """
                The server has every byte of \(upload.file.path), and reads the file back to compare it. You may stop here, and \
                keep the file: the next neuroviews sync looks for the receipt.
                """
            )
            return false
        case .giveUp(let reason):
            let failure = reason.map { Failure($0) } ?? Failure("The server takes no more of it.", .busy)
            throw Failure(
                "\(upload.file.path) is kept on this device, and neuroviews uploads resume goes on. \(failure.sentence)",
                failure.status,
                code: failure.code
            )
        }
    }

    private static func failure(_ failure: UploadFailure, _ upload: Upload) -> Failure {
        let sentence = "\(upload.file.path): \(failure)"
        switch failure {
        case .refused(let problem): return Failure(sentence, Failure(problem).status, code: problem.code)
        case .fileChanged, .fileUnreadable: return Failure(sentence, .noInput)
        case .notVerified, .otherDigest, .unreadable: return Failure(sentence, .data)
        }
    }
}

extension Upload {
    /// True if it can't go on by itself.
    var hasFailed: Bool { if case .failed = state { true } else { false } }

    var json: JSONValue {
        var object: JSONValue.Object = [
            "id": .string(id.text), "file": .string(file.path), "state": .string(state.word),
            "upload_offset": .number(.init(sent)), "file_size": .number(.init(size)),
            "may_delete_file": .bool(mayDeleteFile),
        ]
        if isSealed { object["sealed"] = .bool(true) }
        if case .failed(let failure) = state { object["failure"] = .string(failure.description) }
        return .object(object)
    }
}

extension Upload.State {
    var word: String {
        switch self {
        case .hashing: "hashing"
        case .queued: "queued"
        case .sending: "sending"
        case .waiting: "waiting"
        case .completing: "completing"
        case .verifying: "verifying"
        case .done: "done"
        case .paused: "paused"
        case .failed: "failed"
        }
    }
}
