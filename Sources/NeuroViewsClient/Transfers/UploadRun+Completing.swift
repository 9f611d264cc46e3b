import NeuroViewsRules

extension UploadRun {
    /// Sends the metadata. Repeated until it is answered: the same metadata get the same answer.
    func complete(_ row: UploadRow) async throws(ClientError) -> UploadNews {
        let answer = try await calls.complete(row)
        if answer.isSuccess { return UploadNews(.completed) }
        switch (answer.status, answer.problem.code) {
        // Bytes are missing, or nobody has said yet that the file ends there.
        case (409, "upload-incomplete"): return UploadNews(.bytesMissing)
        // The upload's time is over, or the server was restored from a backup.
        case (404, _): return UploadNews(.forgotten)
        // Its receipt tells whether it is this file.
        case (409, "recording-exists"): return UploadNews(.completed)
        default: return .gaveUp(.refused(Problem(answer.problem)))
        }
    }

    /// Looks for the receipt, with longer pauses each time. "The local file may go" is said only when the recording is ready with
    /// the SHA-256 that was taken here.
    func verify(_ row: UploadRow) async throws(ClientError) -> UploadNews {
        let answer = try await calls.recording(row.id)
        // Whether it was deleted, the server says when it is asked for a place.
        if answer.status == 404, answer.problem.code == "not-found" { return UploadNews(.forgotten) }
        guard answer.isSuccess else { return .gaveUp(.refused(Problem(answer.problem))) }
        guard let recording = answer.json.flatMap({ Recording($0) }), recording.id == row.id else {
            throw .unexpectedAnswer("the answer with the recording is not the server's")
        }
        if recording.status == .failed { return .gaveUp(.notVerified(recording.failure ?? "for an unknown reason")) }
        guard let receipt = recording.receipt else { return UploadNews(.notYet) }
        guard receipt.sha256 == row.sha256, receipt.size == row.transferBytes else { return .gaveUp(.otherDigest) }
        guard recording.status == .ready else { return UploadNews(.notYet) }
        // The app may delete the file now, so it must still be this one.
        if LocalFile.isOther(row.path, than: row.identity) { return .gaveUp(.fileChanged) }
        return UploadNews(.verified)
    }
}
