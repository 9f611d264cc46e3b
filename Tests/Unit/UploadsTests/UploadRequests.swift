import Uploads

extension UploadRequest {
    static func create(
        _ bytes: Int?,
        of length: Int? = nil,
        last: Bool = true,
        by dialect: UploadDialect = .interop8,
        digests: [UploadDigest] = []
    ) -> UploadRequest {
        let content = UploadContent(contentBytes: bytes, length: length, isLast: last, contentDigests: digests)
        return UploadRequest(dialect: dialect, action: .create(content))
    }

    static func append(
        _ bytes: Int?,
        at offset: Int,
        of length: Int? = nil,
        last: Bool = true,
        by dialect: UploadDialect = .interop8
    ) -> UploadRequest {
        let content = UploadContent(contentBytes: bytes, length: length, isLast: last)
        return UploadRequest(dialect: dialect, action: .append(content, at: offset))
    }

    static func ask(_ action: UploadRequest.Action) -> UploadRequest {
        UploadRequest(dialect: .interop8, action: action)
    }
}

extension UploadState {
    static let halfway = UploadState(length: 10, offset: 4, epoch: 7)
    static let unbounded = UploadState(offset: 4, epoch: 7)
    static let full = UploadState(length: 10, offset: 10, epoch: 7)
    static let completed = UploadState(length: 10, offset: 10, epoch: 7, phase: .complete)

    /// The transfer of a request.
    mutating func begin(_ request: UploadRequest, announces: Bool = true) throws -> UploadTransfer {
        guard case .transfer(let transfer) = try admit(request, limits: .test, announces: announces) else {
            throw UploadRefusal.completed
        }
        return transfer
    }
}

extension UploadLimits {
    static let test = UploadLimits(maxBytes: 100)
}
