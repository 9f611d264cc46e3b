import NeuroViewsRules

/// The end of an attempt to send a file.
enum SendingEnd: Sendable {
    /// The server has every byte, and knows that the file ends there.
    case everything
    /// The URL is good for nothing any more.
    case gone
    /// Progress ended, for this reason, with so many bytes at the server if it said so.
    case interrupted(ClientError?, stored: Int64?)
    case refused(Problem)
    /// The local file can't be read, or ended early.
    case unreadable(TransportError)
    case cancelled

    /// The end by an error of the transport that does not come from the way to the server; nil for the others.
    init?(_ error: TransportError) {
        switch error {
        case .file, .fileEnded, .fileChanged: self = .unreadable(error)
        case .cancelled: self = .cancelled
        default: return nil
        }
    }
}

/// Sends a file to an upload of the server's own: one PATCH with everything that is missing, or one piece after the other, and then
/// an empty one that ends the file. After a cut the server says how far it is. What this device believes to have sent does not count.
struct UploadSender {
    /// An upload has 7 days. Who asks for its URL again in the second half gets 7 more, also during a transfer.
    static let renewalS: Int64 = 43_200

    let transport: any Transport
    let location: String
    let content: UploadContent
    let size: Int64
    let meter: UploadMeter
    /// The bytes of a request by URLSession, which sends nothing but whole files; nil: as many as there are.
    var pieceMaxBytes: Int64?

    /// Sends until an attempt brings nothing. `start` is the offset of an upload that certainly has no other; nil: ask. `renew`
    /// asks for the URL again, `noted` gets what the server has by its own word.
    func send(
        from start: Int64?,
        renew: () async -> Void,
        stored noted: (Int64) -> Void = { _ in }
    ) async -> SendingEnd {
        var offset = start
        var best = start ?? -1
        while true {
            let reply: UploadReply
            do throws(TransportError) {
                reply = try await next(offset, renew)
            } catch {
                return SendingEnd(error) ?? .interrupted(ClientError(error), stored: offset)
            }
            switch reply {
            case .stored(size, isComplete: true): return .everything
            case .stored(let stored, _) where stored > size: return .interrupted(nil, stored: nil)
            case .stored(let stored, _):
                // Neither a server that forgets bytes nor a connection that is cut at once makes this loop spin.
                guard stored > best else { return .interrupted(nil, stored: stored) }
                (offset, best) = (stored, stored)
                noted(stored)
            case .unclear:
                guard offset != nil else { return .interrupted(nil, stored: nil) }
                offset = nil
            case .gone: return .gone
            case .refused(let problem): return .refused(problem)
            case .later(let reason): return .interrupted(reason, stored: offset)
            }
        }
    }

    private func next(_ offset: Int64?, _ renew: () async -> Void) async throws(TransportError) -> UploadReply {
        let request = offset.map(append) ?? TransferRequest("HEAD", location, fields: [Self.version])
        if let offset { meter.begin(at: offset) }
        do throws(TransportError) {
            return UploadReply(Answer(try await answer(to: request, renew)))
        } catch {
            if SendingEnd(error) != nil { throw error }
            return UploadReply(error)
        }
    }

    private static let version: TransferRequest.Field = ("Upload-Draft-Interop-Version", "8")

    /// The fields of a piece that URLSession sends. The system changes those of the draft, as if the piece were the whole file.
    /// With these of tus the server reads no others.
    private static let piece: [TransferRequest.Field] = [
        ("Tus-Resumable", "1.0.0"), ("Content-Type", "application/offset+octet-stream"),
    ]

    /// The fields of a request that ends the file.
    private var last: [TransferRequest.Field] {
        [
            Self.version, ("Upload-Complete", "?1"), ("Upload-Length", "\(size)"),
            ("Content-Type", "application/partial-upload"),
        ]
    }

    private func append(at offset: Int64) -> TransferRequest {
        let rest = size - offset
        if offset == 0, pieceMaxBytes != nil, content.sealed == nil { return whole() }
        var request = TransferRequest("PATCH", location, fields: [("Upload-Offset", "\(offset)")])
        request.fields += pieceMaxBytes != nil && rest > 0 ? Self.piece : last
        guard rest > 0 else { return request }
        let length = min(rest, pieceMaxBytes ?? rest)
        let sent = meter.counter(0)
        request.body = .file(content.region(offset: offset, length: length, sent: sent))
        return request
    }

    /// The file itself. A background session resumes such a request by itself: it adds the fields of its own draft, and the
    /// server offers to resume by a 104.
    private func whole() -> TransferRequest {
        var request = TransferRequest("PUT", location)
        request.body = .file(content.region(offset: 0, length: size, sent: meter.counter(0)))
        return request
    }

    /// The answer to a request that may take days.
    private func answer(
        to request: TransferRequest,
        _ renew: () async -> Void
    ) async throws(TransportError) -> TransferAnswer {
        let result = await withTaskGroup(of: Result<TransferAnswer, TransportError>?.self) { group in
            group.addTask { [transport] in
                do throws(TransportError) {
                    return .success(try await transport.send(request))
                } catch {
                    return .failure(error)
                }
            }
            group.addTask { await Self.renewalTime() }
            defer { group.cancelAll() }
            while let ended = await group.next() {
                if let ended { return ended }
                if Task.isCancelled { continue }
                await renew()
                group.addTask { await Self.renewalTime() }
            }
            return .failure(.cancelled)
        }
        return try result.get()
    }

    private static func renewalTime() async -> Result<TransferAnswer, TransportError>? {
        try? await Task.sleep(for: .seconds(renewalS))
        return nil
    }
}
