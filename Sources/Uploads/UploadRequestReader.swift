import HTTP

/// Reads the requests of the IETF's draft, and those of clients without support for resuming.
struct UploadRequestReader {
    let head: RequestHead
    let dialect: UploadDialect

    var fields: UploadFields { UploadFields(head.headers) }

    /// Length of the request's content, in bytes; nil when it is chunked.
    var contentBytes: Int? {
        switch head.bodyLength {
        case .none: 0
        case .length(let bytes): bytes
        case .chunked: nil
        }
    }

    /// The fields that state protocol, place and length of a content.
    private static let state = [
        "Upload-Draft-Interop-Version", "Upload-Complete", "Upload-Incomplete", "Upload-Offset", "Upload-Length",
    ]

    func request() throws(UploadRefusal) -> UploadRequest {
        // OPTIONS depends on no field.
        if head.method != .options { try fields.refuseRepeated(Self.state) }
        return switch head.method {
        case .put, .post: try creation()
        case .patch: try append()
        case .head: try question(.retrieveOffset, forbidden: ["Upload-Length"])
        case .delete: try question(.cancel, forbidden: [])
        case .options: UploadRequest(dialect: dialect, action: .describe)
        default: throw .methodNotAllowed
        }
    }

    private func creation() throws(UploadRefusal) -> UploadRequest {
        // A server that stores no ranges must not treat one as the whole (RFC 9110, section 14.5).
        try fields.refuse("Content-Range")
        if let offset = fields.integer("Upload-Offset"), offset > 0 { throw .unexpectedField("Upload-Offset") }
        let isLast = completeness
        let content = try content(isLast: isLast ?? true)
        _ = try content.statedLength(from: 0)
        // A plain client sends everything in this request; all others may resume.
        if isLast != nil { try content.requireLastingDigest() }
        return UploadRequest(dialect: isLast == nil ? .plain : dialect, action: .create(content))
    }

    private func append() throws(UploadRefusal) -> UploadRequest {
        guard dialect.isDraft else { throw .missingField("Upload-Offset") }
        try requireMediaType()
        guard let offset = fields.integer("Upload-Offset") else { throw .missingField("Upload-Offset") }
        guard let isLast = try appendCompleteness() else { throw .missingField("Upload-Complete") }
        let content = try content(isLast: isLast)
        _ = try content.statedLength(from: offset)
        try content.requireLastingDigest()
        return UploadRequest(dialect: dialect, action: .append(content, at: offset))
    }

    private func question(
        _ action: UploadRequest.Action,
        forbidden: [String]
    ) throws(UploadRefusal) -> UploadRequest {
        if dialect.forbidsStateInQuestions {
            for name in ["Upload-Offset", "Upload-Complete", "Upload-Incomplete"] + forbidden {
                try fields.refuse(name)
            }
        }
        return UploadRequest(dialect: dialect, action: action)
    }

    private func content(isLast: Bool) throws(UploadRefusal) -> UploadContent {
        UploadContent(
            contentBytes: contentBytes,
            length: dialect == .interop3 ? nil : fields.integer("Upload-Length"),
            isLast: isLast,
            contentDigests: try DigestFields.read(DigestFields.content, from: head.headers),
            representationDigests: try DigestFields.read(DigestFields.representation, from: head.headers)
        )
    }

    /// True if the client states that its content ends the upload; nil without a statement.
    private var completeness: Bool? {
        dialect == .interop3
            ? fields.boolean("Upload-Incomplete").map { !$0 } : fields.boolean("Upload-Complete")
    }

    /// Without the field, an append is the last one in draft -01, but not in -04 and
    /// -05. Later drafts require the field.
    private func appendCompleteness() throws(UploadRefusal) -> Bool? {
        switch dialect {
        case .interop3: completeness ?? true
        case .interop6: completeness ?? false
        default: completeness
        }
    }

    func requireMediaType() throws(UploadRefusal) {
        guard let type = dialect.appendMediaType, fields.mediaType != type else { return }
        throw .unsupportedMediaType(accepted: type)
    }
}
