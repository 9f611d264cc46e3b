import HTTP

/// The supported part of tus 1.0.
enum Tus {
    static let version = "1.0.0"
    static let extensions = "creation,creation-with-upload,termination,checksum"
    static let checksumAlgorithms = DigestAlgorithm.allCases.compactMap(\.tusName).joined(separator: ",")
}

extension UploadRequestReader {
    /// Reads a request of tus 1.0, with the extensions of `Tus.extensions`.
    func tusRequest() throws(UploadRefusal) -> UploadRequest {
        let method = tusMethod
        // In OPTIONS the version is ignored.
        guard method == .options || fields.single("Tus-Resumable") == Array(Tus.version.utf8) else {
            throw .unsupportedTusVersion
        }
        switch method {
        case .post: return tus(.create(try tusCreation()))
        case .patch: return try tusAppend()
        case .head: return tus(.retrieveOffset)
        case .delete: return tus(.cancel)
        case .options: return tus(.describe)
        default: throw .methodNotAllowed
        }
    }

    /// Clients that can't send PATCH or DELETE name them in a field of a POST.
    private var tusMethod: Method {
        guard head.method == .post, let name = head.headers.first("X-HTTP-Method-Override") else { return head.method }
        return Method(name: name)
    }

    private func tusCreation() throws(UploadRefusal) -> UploadContent {
        // The extension for these fields isn't offered: the recording's size is known before its upload.
        try fields.refuse("Upload-Defer-Length", "Upload-Concat")
        guard let length = try fields.digits("Upload-Length") else { throw .missingField("Upload-Length") }
        // The type of an empty content is ignored: some libraries always send one.
        if contentBytes != 0 { try requireMediaType() }
        return try tusContent(length: length, from: 0)
    }

    private func tusAppend() throws(UploadRefusal) -> UploadRequest {
        try requireMediaType()
        guard let offset = try fields.digits("Upload-Offset") else { throw .missingField("Upload-Offset") }
        // Here tus has no Upload-Length without the extension that defers it. URLSession adds the length of the piece.
        return tus(.append(try tusContent(length: nil, from: offset), at: offset))
    }

    private func tusContent(length: Int?, from offset: Int) throws(UploadRefusal) -> UploadContent {
        let checksum = try DigestFields.readChecksum(from: head.headers)
        let content = UploadContent(
            contentBytes: contentBytes,
            length: length,
            isLast: false,
            contentDigests: checksum.map { [$0] } ?? []
        )
        _ = try content.statedLength(from: offset)
        return content
    }

    private func tus(_ action: UploadRequest.Action) -> UploadRequest {
        UploadRequest(dialect: .tus, action: action)
    }
}
