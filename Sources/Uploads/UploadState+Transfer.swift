extension UploadState {
    /// Records the progress of a transfer, in bytes of the file that are on the disk. A transfer that shows
    /// no progress changes nothing. Throws `superseded` for an older epoch. Past the end the upload fails,
    /// with `inconsistentLength` or `tooLarge`.
    package mutating func checkpoint(
        _ transfer: UploadTransfer,
        offset: Int,
        limits: UploadLimits
    ) throws(UploadRefusal) {
        try requireCurrent(transfer)
        try failPastEnd(offset, limits)
        if transfer.showsProgress { advance(to: offset) }
    }

    /// Ends a transfer with all its bytes on the disk; later bytes of its connection are rejected. Returns true if the
    /// upload is complete. Throws as `checkpoint`, and `contentMismatch`, `inconsistentLength` when the last content
    /// was too short, `representationMismatch`. Then the file must be cut off at the state's offset.
    package mutating func finish(
        _ transfer: UploadTransfer,
        offset: Int,
        _ end: UploadTransfer.End,
        content: DigestVerdict = .unknown,
        representation: DigestVerdict = .unknown,
        limits: UploadLimits
    ) throws(UploadRefusal) -> Bool {
        try requireCurrent(transfer)
        endEpoch()
        try failPastEnd(offset, limits)
        let isWhole = end == .whole || transfer.dialect == .tus && offset == length
        if isWhole, content == .mismatch { throw .contentMismatch }
        // A part of the content does not show its digest.
        guard isWhole || transfer.showsProgress else { return false }
        advance(to: offset)
        guard isWhole, isEnd(of: transfer) else { return false }
        // Otherwise a truncated file would count as a whole one.
        if let length, length != offset { throw .inconsistentLength }
        if representation == .mismatch {
            fail()
            throw .representationMismatch
        }
        complete()
        return true
    }

    /// Repairs the state after the server stopped without a checkpoint. With `allCount`, the file's length becomes the
    /// offset: the page cache has survived, and no digest was promised for the bytes. Otherwise the last checkpoint
    /// counts. A file with fewer bytes makes the upload fail.
    package mutating func recover(fileBytes: Int, allCount: Bool) {
        guard phase == .open else { return }
        if fileBytes < offset { return fail() }
        if allCount { advance(to: min(fileBytes, length ?? fileBytes)) }
    }

    /// In tus the length marks the end. In the other dialects the client marks the last
    /// content, and the offset proves nothing.
    private func isEnd(of transfer: UploadTransfer) -> Bool {
        transfer.dialect == .tus ? offset == length : transfer.content.isLast
    }

    private func requireCurrent(_ transfer: UploadTransfer) throws(UploadRefusal) {
        guard transfer.epoch == epoch, phase == .open else { throw .superseded }
    }

    private mutating func failPastEnd(_ offset: Int, _ limits: UploadLimits) throws(UploadRefusal) {
        do throws(UploadRefusal) {
            guard let length else { return try limits.check(offset) }
            guard offset <= length else { throw .inconsistentLength }
        } catch {
            fail()
            throw error
        }
    }

    private mutating func advance(to offset: Int) {
        precondition(offset >= self.offset, "An offset that was reported went back")
        move(to: offset)
    }
}
