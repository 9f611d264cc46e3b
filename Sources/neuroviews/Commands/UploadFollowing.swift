import CommandWords
import NeuroViewsClient

/// Follows an upload to its end, with a bar, or with a line of JSON for each state.
struct UploadFollowing {
    /// So many attempts in a row may bring no byte further. Then the command ends; the upload stays on the device.
    private static let attemptsMax = 4
    private let output: Output
    private var bar: ProgressBar
    private var lastWord = ""
    private var fruitless = 0
    private var lastSent: Int64 = -1

    private init(_ upload: Upload, _ output: Output) {
        self.output = output
        bar = ProgressBar(upload.file.lastPathComponent, in: output)
    }

    /// Follows each upload. One that fails ends the command, unless there are others: then it is reported.
    static func follow(_ uploads: [Upload], _ device: NeuroViews, _ output: Output) async throws(Failure) -> Ending {
        await device.start()
        var ending = Ending.done
        for upload in uploads {
            do throws(Failure) {
                var following = UploadFollowing(upload, output)
                try await following.run(upload, device)
            } catch {
                guard uploads.count > 1, !error.isStopped, Interruption.status == nil else { throw error }
                output.failure(error, status: error.status.rawValue)
                ending = .undone
            }
        }
        await device.stop()
        return ending
    }

    private mutating func run(_ upload: Upload, _ device: NeuroViews) async throws(Failure) {
        defer { bar.end() }
        for await state in device.progress(of: upload.id) {
            show(state)
            switch state.state {
            case .done:
                finish(state)
                return
            case .failed(let failure): throw Self.failure(failure, state)
            case .paused:
                throw Failure(
                    "\(state.file.path) is paused: neuroviews uploads resume \(state.id.text) goes on.",
                    .busy
                )
            case .waiting: try judge(state)
            default: break
            }
        }
        // The stream ends early if the task is cancelled, or another process has removed the upload.
        throw Interruption.status == nil
            ? Failure("\(upload.file.path) is no longer among the uploads.", .noInput) : .stopped
    }

    private mutating func show(_ upload: Upload) {
        bar.show(upload.state.word, upload.sent, of: upload.size)
        guard output.isJSON, upload.state.word != lastWord else { return }
        lastWord = upload.state.word
        output.result(upload.json, "")
    }

    private func finish(_ upload: Upload) {
        bar.end()
        guard !output.isJSON else { return }
        let row = [upload.id.text, upload.file.path, upload.state.word, "the local file may go"]
        output.result(.null, Table(["", "", "", ""], [row]).text(isForTerminal: false))
    }

    private mutating func judge(_ upload: Upload) throws(Failure) {
        fruitless = upload.sent > lastSent ? 1 : fruitless + 1
        lastSent = max(lastSent, upload.sent)
        guard let reason = upload.interruption else { return }
        if !reason.mayPass || fruitless >= Self.attemptsMax {
            let failure = Failure(reason)
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

extension ClientError {
    /// True if some patience may be all that is needed.
    fileprivate var mayPass: Bool {
        switch self {
        case .offline, .tryLater, .unexpectedAnswer: true
        default: false
        }
    }
}

extension Upload {
    var json: JSONValue {
        var object: JSONValue.Object = [
            "id": .string(id.text), "file": .string(file.path), "state": .string(state.word),
            "upload_offset": .number(.init(sent)), "file_size": .number(.init(size)),
            "may_delete_file": .bool(mayDeleteFile),
        ]
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
