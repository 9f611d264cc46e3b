import NeuroViewsRules

extension UploadRun {
    /// Takes the SHA-256 of the file. One that is known counts: the file was not changed.
    func hash(_ row: UploadRow) async -> UploadNews? {
        do throws(LocalFileError) {
            var news = UploadNews(.hashed)
            if row.sha256 != nil {
                _ = try LocalFile.open(row.path, expecting: row.identity)
            } else if let seal = row.seal {
                let sealed = try await SealedDigest.of(row.path, expecting: row.identity, seal)
                (news.sha256, news.tags) = (sealed.sha256, sealed.tags)
            } else {
                news.sha256 = try await LocalFile.digest(of: row.path, expecting: row.identity)
            }
            return news
        } catch {
            return error == .cancelled ? nil : .gaveUp(UploadFailure(error))
        }
    }

    /// Asks for the place of the bytes and sends them. If the URL ends meanwhile, asks for another one, once.
    func send(_ row: UploadRow) async throws(ClientError) -> UploadNews? {
        let file: LocalFile
        do throws(LocalFileError) {
            file = try LocalFile.open(row.path, expecting: row.identity)
        } catch {
            return .gaveUp(UploadFailure(error))
        }
        guard let content = try uploadContent(of: row, file) else { return .gaveUp(.unreadable) }
        // A request beside those of the system's would cut them off.
        if let background, await !background.settle(row, meter) { return nil }
        var end = SendingEnd.gone
        for _ in 0..<2 {
            // Another process may have cancelled the upload: the URL is over because the server has deleted it.
            guard case .gone = end, try isWanted() else { break }
            let answer = try await calls.openUpload(row)
            guard let grant = answer.grant(row) else { return try notGranted(answer, row) }
            let isNew = !row.isGranted && grant.offset == 0
            guard try noteGrant() else { return nil }
            end = try await send(content, row, grant, isNew: isNew)
        }
        return news(of: end, file, row)
    }

    /// The way of the bytes.
    private func transport(of row: UploadRow) -> any Transport {
        guard let background else { return transport }
        return BackgroundTransport(row, background, over: transport)
    }

    /// The bytes for the server. Nil if this device has lost what the first pass over a sealed file has found.
    private func uploadContent(of row: UploadRow, _ file: LocalFile) throws(ClientError) -> UploadContent? {
        guard let seal = row.seal else { return UploadContent(file: file) }
        guard let tags = try store.segmentTags(row.id) else { return nil }
        return SealedContent(row.identity.size, seal, tags: tags).map { UploadContent(file: file, sealed: $0) }
    }

    private func send(
        _ content: UploadContent,
        _ row: UploadRow,
        _ grant: UploadGrant,
        isNew: Bool
    ) async throws(ClientError) -> SendingEnd {
        switch grant.target {
        case .server(let location):
            let sender = UploadSender(
                transport: transport(of: row),
                location: location,
                content: content,
                size: row.transferBytes,
                meter: meter,
                pieceMaxBytes: background?.pieceMaxBytes ?? transport.pieceMaxBytes
            )
            return await sender.send(from: isNew ? 0 : nil) {
                _ = try? await calls.openUpload(row)
            } stored: { bytes in
                try? take(.stored(bytes, before: row.sent))
            }
        case .parts(let parts, let fields): return try await send(parts, fields, content, row, grant)
        case .whole(let part, let fields):
            meter.begin(at: 0)
            let sender = PartSender(transport: transport(of: row), fields: fields, content: content, meter: meter)
            return await sender.send([part]).failure ?? .everything
        }
    }

    /// Sends the missing parts, and asks for more until none is missing.
    private func send(
        _ parts: [UploadGrant.Part],
        _ fields: [String: String],
        _ content: UploadContent,
        _ row: UploadRow,
        _ grant: UploadGrant
    ) async throws(ClientError) -> SendingEnd {
        let sender = PartSender(transport: transport(of: row), fields: fields, content: content, meter: meter)
        var (parts, stored) = (parts, grant.offset)
        while !parts.isEmpty {
            meter.begin(at: stored)
            let round = await sender.send(parts)
            if case .cancelled = round.failure { return .cancelled }
            if case .unreadable = round.failure { return round.failure ?? .cancelled }
            guard try isWanted() else { return .cancelled }
            let answer = try await calls.openUpload(row)
            guard let next = answer.grant(row), case .parts(let missing, _) = next.target else { return .gone }
            // The store must have kept one at least.
            guard !round.stored.isSubset(of: missing.map(\.number)) else {
                return round.failure ?? .interrupted(nil, stored: next.offset)
            }
            (parts, stored) = (missing, next.offset)
            try take(.stored(stored, before: row.sent))
        }
        return stored == row.transferBytes ? .everything : .interrupted(nil, stored: stored)
    }

    private func news(of end: SendingEnd, _ file: LocalFile, _ row: UploadRow) -> UploadNews? {
        // The open file may have lost its name to another one.
        let isChanged = (try? file.identity()) != row.identity || LocalFile.isOther(row.path, than: row.identity)
        if isChanged { return .gaveUp(.fileChanged) }
        switch end {
        case .everything: return .sent(row.transferBytes, before: row.sent)
        case .gone: return UploadNews(.linkExpired)
        case .interrupted(let reason, let stored): return .interrupted(reason, sent: stored, before: row.sent)
        case .refused(let problem): return .gaveUp(.refused(problem))
        case .unreadable(.file(let code)): return .gaveUp(.fileUnreadable(code: code))
        case .unreadable: return .gaveUp(.fileChanged)
        case .cancelled: return nil
        }
    }

    /// The server does not open the upload. A recording that is there may be this one: its completion got no answer.
    private func notGranted(_ answer: Answer, _ row: UploadRow) throws(ClientError) -> UploadNews {
        guard answer.status >= 400 else { throw .unexpectedAnswer("the answer to upload-url is not the server's") }
        let current = answer.json?["current"].flatMap { Recording($0) }
        if answer.problem.code == "recording-exists", current?.id == row.id, current?.sha256 == row.sha256 {
            var news = UploadNews(.completed)
            news.sent = row.transferBytes
            return news
        }
        return .gaveUp(.refused(Problem(answer.problem)))
    }
}

extension Answer {
    fileprivate func grant(_ row: UploadRow) -> UploadGrant? {
        isSuccess ? json.flatMap { UploadGrant($0, size: row.transferBytes) } : nil
    }
}
