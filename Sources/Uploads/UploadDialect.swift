import HTTP

/// A client's protocol for an upload resource. It is read from the request's fields, never from User-Agent.
package enum UploadDialect: String, Sendable, Hashable, CaseIterable {
    /// draft-ietf-httpbis-resumable-upload-01, with `Upload-Incomplete`: iOS 17.
    case interop3
    /// Drafts -04 and -05: iOS 18.1 and later.
    case interop6
    /// Drafts -09 to -12.
    case interop8
    /// The draft's fields without a known version: the rules of `interop8`, but no 104 may be sent.
    case unversioned
    /// tus 1.0.
    case tus
    /// The whole file in one request; the client does not support resuming.
    case plain

    /// The dialect of a request with these fields.
    package init(_ headers: Headers) {
        let fields = UploadFields(headers)
        // URLSession adds the draft's fields to every upload task, even to those of a tus library.
        if headers.count(of: "Tus-Resumable") > 0 {
            self = .tus
        } else if let version = fields.integer("Upload-Draft-Interop-Version"), let known = Self.versions[version] {
            self = known
        } else if fields.boolean("Upload-Complete") != nil || fields.integer("Upload-Offset") != nil {
            self = .unversioned
        } else {
            self = .plain
        }
    }

    private static let versions: [Int: UploadDialect] = [3: .interop3, 6: .interop6, 8: .interop8]

    /// The value of `Upload-Draft-Interop-Version`; nil when responses don't have it.
    /// Only clients with a version get 104.
    package var interopVersion: Int? { Self.versions.first { $0.value == self }?.key }

    /// True for a version of the IETF's draft.
    var isDraft: Bool { self != .tus && self != .plain }

    /// True if requests must not repeat the state that they ask for (drafts -01 to -05; later drafts are silent).
    var forbidsStateInQuestions: Bool { self == .interop3 || self == .interop6 }

    /// The media type that PATCH must have; nil when any is accepted.
    var appendMediaType: String? {
        switch self {
        case .interop3, .plain: nil
        case .interop6, .interop8, .unversioned: UploadMediaType.partialUpload
        case .tus: UploadMediaType.tus
        }
    }
}

/// The media types of a piece of an upload.
enum UploadMediaType {
    static let partialUpload = "application/partial-upload"
    static let tus = "application/offset+octet-stream"
}
