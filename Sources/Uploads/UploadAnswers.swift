import HTTP

/// The responses of an upload resource in one dialect: statuses and fields. The route adds the content.
package struct UploadAnswers: Sendable {
    /// The methods of an upload resource, as in Allow.
    package static let methods = "DELETE, HEAD, OPTIONS, PATCH, POST, PUT"

    private let dialect: UploadDialect
    private let location: String
    private let limits: UploadLimits

    /// Makes responses for the upload resource at an absolute URL.
    package init(_ dialect: UploadDialect, location: String, limits: UploadLimits) {
        self.dialect = dialect
        self.location = location
        self.limits = limits
    }

    /// The 104 that offers to resume, before the content is read; nil when the client must not get one.
    package var announcement: ResponseHead? {
        guard dialect.interopVersion != nil else { return nil }
        var fields = ownFields
        fields.append("Location", location)
        appendLimits(to: &fields)
        return ResponseHead(status: .uploadResumptionSupported, fields: fields)
    }

    /// The 104 that reports an offset while the content is read; nil for dialects without it (before draft -03).
    package func progress(_ offset: Int) -> ResponseHead? {
        guard dialect.interopVersion != nil, dialect != .interop3 else { return nil }
        var fields = ownFields
        fields.append("Upload-Offset", "\(offset)")
        return ResponseHead(status: .uploadResumptionSupported, fields: fields)
    }

    /// The final response after a whole content; the upload is then open or complete. A route that adds content
    /// for a complete upload keeps the fields.
    package func stored(_ state: UploadState, isCreation: Bool) -> ResponseHead {
        var fields = ownFields
        if isCreation { fields.append("Location", location) }
        appendState(state, to: &fields)
        if state.phase == .open { appendLimits(to: &fields) }
        return ResponseHead(status: storedStatus(state, isCreation: isCreation), fields: fields)
    }

    /// The response to HEAD.
    package func report(_ state: UploadState) -> ResponseHead {
        var fields = ownFields
        appendState(state, to: &fields)
        if dialect != .interop3, let length = state.length { fields.append("Upload-Length", "\(length)") }
        appendLimits(to: &fields)
        fields.append("Cache-Control", "no-store")
        return ResponseHead(status: dialect == .tus ? .ok : .noContent, fields: fields)
    }

    /// The response to DELETE.
    package var cancelled: ResponseHead { ResponseHead(status: .noContent, fields: ownFields) }

    /// The response to OPTIONS. It has the fields of every dialect, since tus clients don't name theirs here.
    package var capabilities: ResponseHead {
        var fields = ownFields
        fields.append("Allow", Self.methods)
        fields.append("Accept-Patch", "\(UploadMediaType.partialUpload), \(UploadMediaType.tus)")
        // Clients of draft -05 detect the protocol by this field, so it is never empty there.
        fields.append("Upload-Limit", limits.value(in: dialect == .interop6 ? .interop6 : .interop8) ?? "min-size=0")
        if dialect != .tus { fields.append("Tus-Resumable", Tus.version) }
        fields.append("Tus-Version", Tus.version)
        fields.append("Tus-Extension", Tus.extensions)
        fields.append("Tus-Checksum-Algorithm", Tus.checksumAlgorithms)
        if let maxBytes = limits.maxBytes { fields.append("Tus-Max-Size", "\(maxBytes)") }
        return ResponseHead(status: .noContent, fields: fields)
    }

    /// Status and fields of a refusal; the route adds the problem's JSON.
    package func refusal(_ refusal: UploadRefusal) -> ResponseHead {
        var fields = ownFields
        switch refusal {
        case .methodNotAllowed: fields.append("Allow", Self.methods)
        case .unsupportedMediaType(let accepted): fields.append("Accept-Patch", accepted)
        case .unsupportedTusVersion: fields.append("Tus-Version", Tus.version)
        case .tooLarge: appendLimits(to: &fields)
        case .offsetMismatch(let expected, _):
            fields.append("Upload-Offset", "\(expected)")
            appendCompleteness(false, to: &fields)
        // The client learns that all bytes arrived, and that resuming is useless.
        case .representationMismatch: appendCompleteness(true, to: &fields)
        default: break
        }
        return ResponseHead(status: refusal.status(in: dialect), fields: fields)
    }
}

extension UploadAnswers {
    /// The fields of every response in this dialect.
    private var ownFields: FieldBlock {
        if let version = dialect.interopVersion { return [("Upload-Draft-Interop-Version", "\(version)")] }
        return dialect == .tus ? [("Tus-Resumable", Tus.version)] : []
    }

    private func storedStatus(_ state: UploadState, isCreation: Bool) -> Status {
        if isCreation { return .created }
        switch dialect {
        case .tus: return .noContent
        case .interop3, .interop6: return .created
        default: return state.phase == .open ? .noContent : .created
        }
    }

    private func appendState(_ state: UploadState, to fields: inout FieldBlock) {
        fields.append("Upload-Offset", "\(state.offset)")
        appendCompleteness(state.phase == .complete, to: &fields)
    }

    private func appendCompleteness(_ isComplete: Bool, to fields: inout FieldBlock) {
        switch dialect {
        case .tus: break
        case .interop3: fields.append("Upload-Incomplete", isComplete ? "?0" : "?1")
        default: fields.append("Upload-Complete", isComplete ? "?1" : "?0")
        }
    }

    private func appendLimits(to fields: inout FieldBlock) {
        guard dialect != .tus, let value = limits.value(in: dialect) else { return }
        fields.append("Upload-Limit", value)
    }
}
