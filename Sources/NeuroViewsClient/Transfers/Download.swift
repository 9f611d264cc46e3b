import NeuroViewsRules

/// Fetches the file of a recording into a file beside its target. After a cut only the rest is fetched.
struct Download {
    typealias Progress = AsyncStream<TransferProgress>.Continuation

    /// Attempts in a row that bring nothing.
    private static let failuresMax: Int64 = 5

    let recording: Recording
    let calls: any TransferCalls
    let transport: any Transport
    let pauses: UploadPauses
    /// The key that a sealed recording is opened with; nil to keep the bytes as they are.
    var fileKey: [UInt8]?

    /// Returns when the file is there and whole.
    func run(to path: String, _ received: @escaping @Sendable (TransferProgress) -> Void) async throws(ClientError) {
        let (states, progress) = AsyncStream.makeStream(of: TransferProgress.self, bufferingPolicy: .bufferingNewest(1))
        let follower = Task {
            for await state in states {
                received(state)
                try? await Task.sleep(for: .milliseconds(Transfers.progressPauseMs))
            }
        }
        defer { progress.finish() }
        let part = try local(path) { () throws(PartFileError) in try PartFile.open(of: path, mark: mark) }
        try await fetchWhole(into: part, path, progress)
        if let fileKey {
            try await part.finish(opening: fileKey)
        } else {
            do throws(PartFileError) { try await part.finish() } catch { throw error.error(path) }
        }
        progress.finish()
        await follower.value
    }

    /// Short, since names of files have at most 255 bytes.
    private var mark: String { String(recording.id.lower.prefix(8)) }

    /// Fetches, and compares the digest. Wrong bytes are fetched anew, once: they may be from a run long ago.
    private func fetchWhole(into part: PartFile, _ path: String, _ progress: Progress) async throws(ClientError) {
        for _ in 0..<2 {
            try await fetch(into: part, path, progress)
            guard let sha256 = recording.receipt?.sha256 ?? recording.sha256 else { return }
            if try await digest(of: part) == sha256 { return }
            try local(path) { () throws(PartFileError) in try part.empty() }
        }
        throw .unexpectedAnswer("The file that was received differs from the recording's digest.")
    }

    private func fetch(into part: PartFile, _ path: String, _ progress: Progress) async throws(ClientError) {
        var failures: Int64 = 0
        while true {
            let before = try local(path) { () throws(PartFileError) in try part.usableLength() }
            let failure: ClientError
            do throws(ClientError) {
                let status = try await attempt(part, from: before, progress)
                if status == 200 || status == 206 { return }
                // All of the file is here, or something else is.
                if status == 416 {
                    if recording.receipt?.size == before { return }
                    try local(path) { () throws(PartFileError) in try part.empty() }
                }
                // 403 and 410: the link is over.
                failure = .unexpectedAnswer("The file was refused with status \(status).")
            } catch {
                guard error.mayPass else { throw error }
                failure = error
            }
            // Bytes that can't be gone on with bring nothing.
            let after = try local(path) { () throws(PartFileError) in try part.usableLength() }
            failures = after > before ? 0 : failures + 1
            if failures == Self.failuresMax { throw failure }
            try await pause(failures, failure)
        }
    }

    /// Asks for a link to the file, which needs no token, and fetches what is missing. Returns the status.
    private func attempt(_ part: PartFile, from offset: Int64, _ progress: Progress) async throws(ClientError) -> Int {
        var request = TransferRequest("GET", try await link())
        if offset > 0, let tag = part.tag { request.fields = [("Range", "bytes=\(offset)-"), ("If-Range", tag)] }
        let total = Guarded<Int64?>(nil)
        let file = DownloadFile(
            descriptor: part.descriptor,
            offset: offset,
            // Nothing that is not the file fills the disk.
            limit: recording.receipt?.size ?? .max,
            received: { count in progress.yield(TransferProgress(bytes: count, total: total.withLock { $0 })) },
            began: { answer in
                total.withLock { $0 = answer.wholeBytes }
                part.note(tag: answer["ETag"])
            }
        )
        do throws(TransportError) {
            return try await transport.send(request, into: file).status
        } catch {
            throw ClientError(error)
        }
    }

    private func link() async throws(ClientError) -> String {
        let answer = try await calls.send(
            "GET",
            "/recordings/\(recording.id.lower)/content",
            nil,
            acceptsRedirect: true
        )
        if answer.status == 307, let link = answer.field("location") { return link }
        guard answer.status >= 400 else { throw .unexpectedAnswer("The answer is no link to the file.") }
        throw .refused(Problem(answer.problem))
    }

    private func digest(of part: PartFile) async throws(ClientError) -> [UInt8] {
        do throws(LocalFileError) {
            return try await LocalFile.digest(of: part.path)
        } catch {
            switch error {
            case .cancelled: throw .cancelled
            case .system(let code): throw ClientError(TransportError.file(code: code))
            case .noFile, .changed: throw ClientError(TransportError.fileEnded)
            }
        }
    }

    /// The first failure in a row costs no pause, unless the server asks for one.
    private func pause(_ failures: Int64, _ failure: ClientError) async throws(ClientError) {
        let ownMs = failure.retryAfterSeconds.map { $0 * 1000 }
        guard let ms = ownMs ?? (failures > 1 ? pauses.lengthMs(attempt: failures - 1) : nil) else { return }
        do { try await Task.sleep(for: .milliseconds(ms)) } catch { throw .cancelled }
    }

    private func local<T>(_ path: String, _ body: () throws(PartFileError) -> T) throws(ClientError) -> T {
        do throws(PartFileError) { return try body() } catch { throw error.error(path) }
    }
}

extension ClientError {
    /// True for a failure on the way; false for one of the local file.
    fileprivate var mayPass: Bool {
        if case .offline(let error) = self { return error.isOffline }
        return isResultUnknown
    }
}

extension PartFile {
    /// The bytes that are here and can be gone on with. Those of an answer without a tag are dropped: nobody can tell
    /// whether the rest would fit.
    fileprivate func usableLength() throws(PartFileError) -> Int64 {
        let length = try length()
        guard length > 0, tag == nil else { return length }
        try empty()
        return 0
    }
}

extension TransferAnswer {
    /// The bytes of the whole file.
    fileprivate var wholeBytes: Int64? {
        if status == 200 { return self["Content-Length"].flatMap { Int64($0) } }
        return self["Content-Range"]?.split(separator: "/").last.flatMap { Int64($0) }
    }
}
