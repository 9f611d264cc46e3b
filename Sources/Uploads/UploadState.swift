/// The state of one upload, as the database stores it, and the rules of its changes.
///
/// A rejected request changes nothing. Bytes past the end, or a file with another digest, make it `failed`.
package struct UploadState: Sendable, Hashable {
    /// The stage of an upload. Only an open one accepts bytes.
    package enum Phase: String, Sendable, CaseIterable {
        /// More bytes may arrive.
        case open
        /// The client has sent everything.
        case complete
        /// The client cancelled it.
        case cancelled
        /// It can't be finished.
        case failed
        /// Its lifetime is over.
        case expired
    }

    /// Length of the whole file, in bytes; nil while it isn't known. It never changes once known.
    package private(set) var length: Int?
    /// Bytes that are safely stored.
    package private(set) var offset: Int
    /// Increases with each request that takes the upload over, and with the end of each transfer. Bytes of a
    /// transfer with an older epoch are rejected.
    package private(set) var epoch: Int
    /// The stage of the upload.
    package private(set) var phase: Phase

    /// Makes a new upload, or one from its stored values.
    package init(length: Int? = nil, offset: Int = 0, epoch: Int = 0, phase: Phase = .open) {
        self.length = length
        self.offset = offset
        self.epoch = epoch
        self.phase = phase
    }
}

extension UploadState {
    /// Decides about a request. The caller first ends the running transfer, so that its bytes count. `announces`
    /// is true if a 104 can reach the client.
    package mutating func admit(
        _ request: UploadRequest,
        limits: UploadLimits,
        announces: Bool
    ) throws(UploadRefusal) -> UploadAdmission {
        switch request.action {
        case .describe: return .describe
        case .retrieveOffset: try requireActive()
        case .cancel: return try cancel()
        case .create(let content): return try create(content, request.dialect, limits, announces)
        case .append(let content, let start): return try append(content, at: start, request.dialect, limits)
        }
        if phase == .open { epoch += 1 }
        return .report
    }

    private mutating func cancel() throws(UploadRefusal) -> UploadAdmission {
        try requireActive()
        // The recording already has its bytes; its own route deletes it.
        guard phase == .open else { throw .completed }
        epoch += 1
        phase = .cancelled
        return .cancelled
    }

    /// Starts at 0 even if there are bytes: a client without the offset can't continue. A client that
    /// understands 104 is made to ask for the offset instead. A client that sends only a part relies on the
    /// final response, and may not see a 104.
    private mutating func create(
        _ content: UploadContent,
        _ dialect: UploadDialect,
        _ limits: UploadLimits,
        _ announces: Bool
    ) throws(UploadRefusal) -> UploadAdmission {
        try requireActive()
        let known = try length(stating: content, from: 0, limits)
        let canResume = announces && content.isLast && dialect.interopVersion != nil
        guard phase == .open else { return try createAgain(content, dialect, canResume) }
        length = known
        if offset > 0, canResume { return .resume }
        offset = 0
        return .transfer(begin(content, dialect, isCreation: true))
    }

    /// The upload is complete, and its client doesn't know it. A client that can resume learns it without
    /// sending the file again. A part of the file is not compared: the verdicts on many parts would
    /// reveal the file to any holder of the URL.
    private func createAgain(
        _ content: UploadContent,
        _ dialect: UploadDialect,
        _ canResume: Bool
    ) throws(UploadRefusal) -> UploadAdmission {
        if canResume { return .resume }
        if dialect == .tus, content.contentBytes == 0 { return .storedAnswer }
        guard content.isLast || dialect == .tus && content.contentBytes == length else { throw .completed }
        return .repetition
    }

    private mutating func append(
        _ content: UploadContent,
        at start: Int,
        _ dialect: UploadDialect,
        _ limits: UploadLimits
    ) throws(UploadRefusal) -> UploadAdmission {
        try requireActive()
        guard start == offset || phase == .complete && dialect != .tus else {
            throw .offsetMismatch(expected: offset, provided: start)
        }
        guard phase == .open else {
            // Chunked content may still be empty.
            guard start == offset, content.contentBytes ?? 0 == 0 else { throw .completed }
            return .storedAnswer
        }
        length = try length(stating: content, from: start, limits)
        return .transfer(begin(content, dialect, isCreation: false))
    }

    private mutating func begin(
        _ content: UploadContent,
        _ dialect: UploadDialect,
        isCreation: Bool
    ) -> UploadTransfer {
        epoch += 1
        return UploadTransfer(dialect: dialect, epoch: epoch, start: offset, isCreation: isCreation, content: content)
    }

    /// The upload's length, including this content's statement. Throws when it differs or exceeds a limit.
    private func length(
        stating content: UploadContent,
        from start: Int,
        _ limits: UploadLimits
    ) throws(UploadRefusal) -> Int? {
        let stated = try content.statedLength(from: start)
        if let length {
            let end = start + (content.contentBytes ?? 0)
            guard stated == nil || stated == length, end <= length else { throw .inconsistentLength }
            return length
        }
        try limits.check(stated ?? start + (content.contentBytes ?? 0))
        if let stated, stated < offset { throw .inconsistentLength }
        return stated
    }

    private func requireActive() throws(UploadRefusal) {
        guard phase == .open || phase == .complete else { throw .notActive(phase) }
    }
}

extension UploadState {
    /// Marks an upload at the end of its lifetime: its URL stops working. Returns true if it was open or complete.
    package mutating func expire() -> Bool { leave(.open, for: .expired) || leave(.complete, for: .expired) }

    private mutating func leave(_ phase: Phase, for next: Phase) -> Bool {
        guard self.phase == phase else { return false }
        self.phase = next
        epoch += 1
        return true
    }

    mutating func endEpoch() { epoch += 1 }

    mutating func move(to offset: Int) { self.offset = offset }

    mutating func fail() { phase = .failed }

    mutating func complete() {
        length = offset
        phase = .complete
    }
}
