import CloudSync
import Crypto
import HTTP
import Storage

/// Files of recordings. `/recordings/{id}/content`, `/thumbnail` and `/preview` redirect to `/downloads/{link}`,
/// which needs no login for some minutes.
struct DownloadRoutes: Sendable {
    let downloads: DownloadService
    let recordings: RecordingService
    let storage: ObjectStorage
    let store: StoreIdentity
    let publicURL: String

    /// A download may be slow, but must not last for ever.
    private static let rate = MinimumRate(bytesPerSecond: 1024)
    private static let thumbnailPolicy = EndpointPolicy(.session, body: .collected(.bytes(1 << 20)), media: nil)
    /// Bytes sent at once.
    private static let pieceBytes = 256 << 10

    var routes: [RouteEntry] {
        [
            (.get, "/v2/recordings/{id}/content", Endpoint(.session) { try await redirect($0, to: .content) }),
            (.get, "/v2/recordings/{id}/thumbnail", Endpoint(.session) { try await redirect($0, to: .thumbnail) }),
            (.put, "/v2/recordings/{id}/thumbnail", Endpoint(Self.thumbnailPolicy, putThumbnail)),
            (.get, "/v2/recordings/{id}/preview", Endpoint(.session) { try await redirect($0, to: .preview) }),
            (
                .get, "/v2/downloads/{link}",
                Endpoint(EndpointPolicy(.anybody, time: .minimumRate(Self.rate)), download)
            ),
        ]
    }

    /// Stores a thumbnail made by the client, of an encrypted recording or in place of the server's.
    private func putThumbnail(_ context: RequestContext) async throws -> Response {
        let bytes = context.body
        try await store.confirm()
        func type(_ isEncrypted: Bool) -> String { isEncrypted ? "application/octet-stream" : "image/jpeg" }
        try await recordings.keepThumbnail(
            of: context.id(),
            bytes: bytes.count,
            for: context.caller(),
            check: { isEncrypted in
                try MediaType.binary(type(isEncrypted)).check(context.head)
                // The beginning of each JPEG (ISO 10918-1): SOI and a marker.
                guard isEncrypted ? !bytes.isEmpty : bytes.starts(with: [0xFF, 0xD8, 0xFF]) else {
                    throw Problem(.invalidParameter, "The body is not a JPEG file.")
                }
            },
            store: { objectKey, isEncrypted in
                guard let key = ObjectKey(objectKey) else { throw Problem(.notFound) }
                try await storage.put(bytes, as: key, contentType: type(isEncrypted))
            },
            remove: { objectKey in
                if let key = ObjectKey(objectKey) { try await storage.delete(key) }
            }
        )
        return Response(.noContent)
    }

    private func redirect(_ context: RequestContext, to part: DownloadLink.Part) async throws -> Response {
        try await store.confirm()
        do {
            return Response(.temporaryRedirect, fields: [("Location", try await location(of: part, context))])
        } catch let missing as DownloadService.Missing {
            throw Problem(missing)
        }
    }

    /// The download URL. S3 sends the file without passing it through this server.
    private func location(of part: DownloadLink.Part, _ context: RequestContext) async throws -> String {
        guard case .s3(let s3) = storage else {
            let token = try await downloads.link(part, of: context.id(), for: context.caller())
            return "\(publicURL)/downloads/\(token)"
        }
        let download = try await downloads.download(part, of: context.id(), for: context.caller())
        guard let key = ObjectKey(download.objectKey) else { throw Problem(.notFound) }
        return s3.presignedGet(
            key,
            contentType: download.contentType,
            contentDisposition: Self.disposition(of: download),
            expiresS: DownloadLink.lifetimeSeconds
        ).url
    }

    private func download(_ context: RequestContext) async throws -> Response {
        let download = try await found(context.parameters["link"] ?? "")
        try await store.confirm()
        guard let key = ObjectKey(download.objectKey) else { throw Problem(.notFound) }
        let size: Int
        do {
            size = try await storage.size(of: key)
        } catch StorageError.missing {
            // A 404 would be final, and the store may be missing only for a moment.
            try await store.confirmNow()
            throw Problem(.notFound)
        }
        if let expected = download.size, expected != size {
            throw StorageError.unavailable("\(download.objectKey) has \(size) bytes, not \(expected)")
        }
        let fields = fields(of: download, size)
        let whole = try await Preconditions.apply(context.head, to: response(key, fields, size, .whole))
        // A thumbnail may be replaced: parts of two thumbnails make no file.
        guard download.isFixed else { return whole }
        let range = RangeRequest(context.wantedRange(ifTag: Self.tag(download, size)), length: size)
        guard whole.status.code == 200, context.head.method == .get, range != .whole else { return whole }
        return try await response(key, fields, size, range)
    }

    private func found(_ token: String) async throws -> Download {
        do {
            return try await downloads.download(token)
        } catch DownloadLink.Refusal.expired {
            throw Problem(.linkExpired)
        } catch DownloadLink.Refusal.unknown {
            throw Problem(.notFound)
        }
    }

    private func response(_ key: ObjectKey, _ fields: FieldBlock, _ size: Int, _ range: RangeRequest) async throws
        -> Response
    {
        var fields = fields
        switch range {
        case .whole: return Response(.ok, fields: fields, content: content(key, 0..<size))
        case .part(let part):
            fields.append("Content-Range", "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(size)")
            return Response(.partialContent, fields: fields, content: content(key, part))
        case .unsatisfiable:
            var problem = Problem(.rangeNotSatisfiable)
            problem.fields = [("Content-Range", "bytes */\(size)")]
            throw problem
        }
    }

    private func fields(of download: Download, _ size: Int) -> FieldBlock {
        var fields: FieldBlock = [("Content-Type", download.contentType)]
        if download.isFixed {
            fields.append("ETag", Self.tag(download, size))
            fields.append("Accept-Ranges", "bytes")
        }
        if let disposition = Self.disposition(of: download) { fields.append("Content-Disposition", disposition) }
        return fields
    }

    /// Browsers must save a recording, and never show its bytes as a page.
    static func disposition(of download: Download) -> String? {
        guard download.filename != nil || download.contentType == "application/octet-stream" else { return nil }
        return ContentDisposition.attachment(download.filename)
    }

    /// A recording's object never changes. The digest hides its name, which would reveal its place. A preview that was
    /// lost and made again has another size.
    private static func tag(_ download: Download, _ size: Int) -> String {
        "\"" + Hex.encode(Array(SHA256.hash(Array("\(download.objectKey) \(size)".utf8)).prefix(12))) + "\""
    }

    private func content(_ key: ObjectKey, _ range: Range<Int>) -> ResponseContent {
        guard !range.isEmpty else { return .bytes([]) }
        return .stream(keepingBytes: 2 * Self.pieceBytes, length: range.count) { stream in
            try await send(key, range, to: stream)
        }
    }

    private func send(_ key: ObjectKey, _ range: Range<Int>, to stream: ResponseStream) async throws {
        let reader = try await storage.read(key, range)
        guard let file = reader.file, stream.takesFiles else {
            while let piece = try await reader.next() {
                try await stream.write(piece)
                downloads.reportSent(piece.count)
            }
            return
        }
        var position = range.lowerBound
        while position < range.upperBound {
            let next = min(position + Self.pieceBytes, range.upperBound)
            try await reader.prefetch(position..<next)
            try await stream.write(file: file.descriptor, position..<next)
            downloads.reportSent(next - position)
            position = next
        }
    }
}

extension Problem {
    /// A preview takes longer than a thumbnail.
    fileprivate init(_ missing: DownloadService.Missing) {
        switch missing {
        case .notReady(let part):
            self.init(part == .preview ? .previewNotReady : .thumbnailNotReady)
            fields = [("Retry-After", part == .preview ? "30" : "5")]
        case .unavailable(let part): self.init(part == .preview ? .previewUnavailable : .thumbnailUnavailable)
        }
    }
}

extension RequestContext {
    /// The Range field, unless the client has another file by If-Range (RFC 9110, 13.1.5). A date
    /// never matches: there is no Last-Modified.
    fileprivate func wantedRange(ifTag tag: String) -> String? {
        if let condition = head.headers.first("if-range"), condition != tag { return nil }
        return head.headers.first("range")
    }
}
