import NeuroViewsJSON
import NeuroViewsRules

/// The reason why an upload ended without success. ``NeuroViews/resumeUpload(_:)`` tries it again, but for ``unreadable``.
public enum UploadFailure: Error, Hashable, Sendable {
    /// The local file has changed since it was queued.
    case fileChanged
    /// The local file is gone or can't be read; an errno, such as ENOENT.
    case fileUnreadable(code: Int32)
    /// The server does not take the recording. The problem's detail names the remedy.
    case refused(Problem)
    /// The server has read the file back and found a fault, such as `wrong digest`.
    case notVerified(String)
    /// The recording on the server has another SHA-256 than the local file.
    case otherDigest
    /// This device can't read any more what it had stored of the upload: a fault of its disk.
    /// ``NeuroViews/upload(_:_:id:partSize:sealed:)`` with the same id and file begins it anew.
    case unreadable
}

extension UploadFailure: CustomStringConvertible {
    /// The reason with its remedy.
    public var description: String {
        switch self {
        case .fileChanged: "The file has changed since it was queued: resume the upload to send it as it is now."
        case .fileUnreadable(code: 0): "It is no regular file."
        case .fileUnreadable(let code): "The file can't be read: \(SystemCall.reason(code))."
        case .refused(let problem): problem.description
        case .notVerified(let reason): "The server could not verify the file (\(reason)): upload it again."
        case .otherDigest: "The recording on the server is another file: upload this one as a new recording."
        case .unreadable: "What was stored of the upload can't be read any more: upload the file again, or cancel."
        }
    }

    init(_ error: LocalFileError) {
        switch error {
        case .changed, .cancelled: self = .fileChanged
        case .noFile: self = .fileUnreadable(code: 0)
        case .system(let code): self = .fileUnreadable(code: code)
        }
    }
}

extension UploadFailure {
    /// For storing.
    var json: JSON {
        var members = JSONObject()
        switch self {
        case .fileChanged: members.set("kind", to: .string("file_changed"))
        case .fileUnreadable(let code):
            members.set("kind", to: .string("file_unreadable"))
            members.set("code", to: .number(JSONNumber(Int64(code))))
        case .refused(let problem):
            members.set("kind", to: .string("refused"))
            members.set("problem", to: problem.rules.json)
        case .notVerified(let reason):
            members.set("kind", to: .string("not_verified"))
            members.set("reason", to: .string(reason))
        case .otherDigest: members.set("kind", to: .string("other_digest"))
        case .unreadable: members.set("kind", to: .string("unreadable"))
        }
        return .object(members)
    }

    /// Reads a stored one; nil if it is none.
    init?(_ json: JSON) {
        switch json["kind"]?.string {
        case "file_changed": self = .fileChanged
        case "file_unreadable":
            guard let code = json["code"]?.number?.int64 else { return nil }
            self = .fileUnreadable(code: Int32(truncatingIfNeeded: code))
        case "refused":
            guard let problem = json["problem"].flatMap({ NeuroViewsRules.Problem(json: $0) }) else { return nil }
            self = .refused(Problem(problem))
        case "not_verified":
            guard let reason = json["reason"]?.string else { return nil }
            self = .notVerified(reason)
        case "other_digest": self = .otherDigest
        case "unreadable": self = .unreadable
        default: return nil
        }
    }
}
