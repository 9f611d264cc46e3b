import NeuroViewsRules

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The recordings on the server.
extension NeuroViews {
    /// Returns a page of the account's recordings, newest first. `before` is the `next` of the page before.
    public func recordings(
        _ filter: RecordingFilter = RecordingFilter(),
        before: String? = nil
    ) async throws(ClientError) -> Page<Recording> {
        let page: Page<Recording> = try await read(filter.path(before: before)) { json in
            Page(json, "recordings") { Recording($0) }
        }
        return Page(items: page.items.map { revealed($0) }, next: page.next)
    }

    /// Returns a recording. Its `status` is `ready` when the server has read its file back.
    ///
    /// - Throws: `.refused` with `not-found` before its upload is complete, and after its deletion.
    public func recording(_ id: UUID) async throws(ClientError) -> Recording {
        revealed(
            try await read("/recordings/\(id.lower)") { json in Recording(json).flatMap { $0.id == id ? $0 : nil } }
        )
    }

    /// Returns the server's word that it has read the file back whole; nil before that.
    public func receipt(_ id: UUID) async throws(ClientError) -> Receipt? { try await recording(id).receipt }

    /// Deletes a recording with its file, on all devices. One that is not there any more is deleted, too.
    public func deleteRecording(_ id: UUID) async throws(ClientError) { try await remove("/recordings/\(id.lower)") }

    /// Fetches the file of a recording. It is `file` only when it is whole, and has the SHA-256 that the server knows; an older
    /// `file` is replaced. Until then it is beside it, with `.part` at the end of its name: the next call continues there, also
    /// after a crash.
    ///
    /// A sealed recording is opened into a further file, with `.opened` at the end of its name, which becomes `file` when the last
    /// byte is authentic.
    ///
    /// - Parameters:
    ///   - opens: False leaves a sealed recording sealed: no key is needed.
    ///   - received: Called at most ten times a second.
    /// - Throws: `.offline` after some attempts. `.offline(.file)` for a disk that is full: what is there stays. `.unexpectedAnswer` if the digest is wrong twice.
    ///   `.sealing` without the right key, before a byte is fetched, and for a file that was changed; `file` is not touched then.
    public func download(
        _ id: UUID,
        to file: URL,
        opens: Bool = true,
        _ received: @escaping @Sendable (TransferProgress) -> Void = { _ in }
    ) async throws(ClientError) {
        let path = try file.localPath()
        let recording = try await recording(id)
        let fileKey = try opens ? self.fileKey(of: recording) : nil
        let calls = SessionCalls(session, as: core.account?.id)
        let download = Download(
            recording: recording,
            calls: calls,
            transport: session.transport,
            pauses: transferPauses,
            fileKey: fileKey
        )
        try await download.run(to: path, received)
    }

    /// Nil for a recording that is not sealed.
    private func fileKey(of recording: Recording) throws(ClientError) -> [UInt8]? {
        guard recording.seal != nil else { return nil }
        let keys = try keyring().keys()
        do throws(SealingError) { return try recording.fileKey(by: keys) } catch { throw .sealing(error) }
    }
}
