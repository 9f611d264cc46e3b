import NeuroViewsJSON
import NeuroViewsRules

/// The meaning of an answer about the bytes of an upload (docs/interface.md, "Recordings"; draft-ietf-httpbis-resumable-upload).
enum UploadReply: Sendable, Equatable {
    /// The server has so many bytes. `isComplete`: it knows that the file ends there.
    case stored(Int64, isComplete: Bool)
    /// Ask for the offset, and go on there.
    case unclear
    /// The URL is good for nothing any more: ask for a new one.
    case gone
    /// The server will not take the file.
    case refused(Problem)
    /// Pause, then try again.
    case later(ClientError)

    /// Reads the answer to a HEAD or a PATCH of the server's own uploads.
    init(_ answer: Answer) {
        switch answer.status {
        case 200...299: self = Self.stored(answer) ?? .unclear
        case 404, 410: self = .gone
        case 409: self = .unclear
        // The offset tells what it has.
        case 400 where answer.problemKind == "completed-upload": self = .unclear
        case 400, 412, 413, 415: self = Self.refusal(answer)
        default: self = .later(.tryLater(nil, seconds: answer.retryAfterSeconds))
        }
    }

    /// The reason why there is no answer.
    init(_ error: TransportError) {
        switch error {
        // Some bytes may have arrived.
        case .cut, .stalled: self = .unclear
        default: self = .later(ClientError(error))
        }
    }

    private static func stored(_ answer: Answer) -> UploadReply? {
        guard let text = answer.field("upload-offset"), let offset = Int64(text), offset >= 0 else { return nil }
        // The second one is that of the draft's version 3, which URLSession of iOS 17 speaks.
        let isComplete = answer.field("upload-complete") == "?1" || answer.field("upload-incomplete") == "?0"
        return .stored(offset, isComplete: isComplete)
    }

    private static func refusal(_ answer: Answer) -> UploadReply {
        guard answer.problemKind != nil || answer.status == 413 else {
            return .later(.unexpectedAnswer("an answer with status \(answer.status) that is not the server's"))
        }
        return .refused(Problem(NeuroViewsRules.Problem(status: answer.status, answer.json?.object ?? JSONObject())))
    }
}

extension Answer {
    /// The end of a problem's type, also of IANA's registry, which uploads have; nil for an answer that is no problem.
    fileprivate var problemKind: String? {
        guard field("content-type")?.hasPrefix("application/problem+json") == true else { return nil }
        return json?["type"]?.string?.split(whereSeparator: { $0 == "/" || $0 == "#" }).last.map { String($0) }
    }
}
