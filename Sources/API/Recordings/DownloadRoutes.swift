import CloudSync
import HTTP
import Net
import NeuroViewsCrypto
import Storage

/// Files of recordings. `/recordings/{id}/content`, `/thumbnail` and `/preview` redirect to `/downloads/{link}`,
/// which needs no login for some minutes. A recording's `thumbnail_url` leads there at once.
struct DownloadRoutes: Sendable {
    let downloads: DownloadService
    let recordings: RecordingService
    let storage: ObjectStorage
    let store: StoreIdentity

    /// A download may be slow, but must not last for ever.
    private static let rate = MinimumRate(bytesPerSecond: 1024)
    private static let thumbnailPolicy = EndpointPolicy(
        .session,
        body: .collected(.bytes(thumbnailMaxBytes)),
        media: nil
    )
    /// Bytes sent at once.
    private static let pieceBytes = 256 << 10
    /// Limit of a client's thumbnail. The server's own are smaller.
    private static let thumbnailMaxBytes = 1 << 20
    /// A picture stays in the cache of its client, which asks every hour if it was replaced.
    private static let thumbnailCaching = "private, max-age=3600"

    var routes: [RouteEntry] {
        [
            (.get, "/v2/recordings/{id}/content", Endpoint(.session) { try await redirect($0, to: .content) }),
            (.get, "/v2/recordings/{id}/thumbnail", Endpoint(.session) { try await redirect($0, to: .thumbnail) }),
            (.put, "/v2/recordings/{id}/thumbnail", Endpoint(Self.thumbnailPolicy, putThumbnail)),
            (.get, "/v2/recordings/{id}/preview", Endpoint(.session) { try await redirect($0, to: .preview) }),
            (
                .get, "/v2/downloads/{link}",
                Endpoint(EndpointPolicy(.anybody, time: .minimumRate(Self.rate), caching: .ofResponse), download)
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
            return "\(context.publicURL)/downloads/\(token)"
        }
        let download = try await downloads.download(part, of: context.id(), for: context.caller())
        guard let key = ObjectKey(download.objectKey) else { throw Problem(.notFound) }
        return s3.presignedGet(
            key,
            isHead: context.head.method == .head,
            contentType: download.contentType,
            contentDisposition: Self.disposition(of: download),
            expiresS: DownloadLink.lifetimeSeconds
        ).url
    }

    private func download(_ context: RequestContext) async throws -> Response {
        let download = try await found(context.parameters["link"] ?? "", context.address)
        try await store.confirm()
        guard let key = ObjectKey(download.objectKey) else { throw Problem(.notFound) }
        guard download.isFixed else { return try await thumbnail(context, download, key) }
        let size = try await unlessLost { try await storage.size(of: key) }
        if let expected = download.size, expected != size {
            throw StorageError.unavailable("\(download.objectKey) has \(size) bytes, not \(expected)")
        }
        return try answer(context, download, size: size, tag: Self.tag(download, size)) { content(key, $0) }
    }

    /// A thumbnail may be replaced at any time. So it is read before the answer, and its tag is made of its bytes:
    /// parts of two thumbnails are never put together.
    private func thumbnail(_ context: RequestContext, _ download: Download, _ key: ObjectKey) async throws -> Response {
        let bytes = try await unlessLost {
            let reader = try await storage.read(key)
            try context.keep(bytes: 2 * reader.objectBytes)
            return try await reader.all(maxBytes: Self.thumbnailMaxBytes)
        }
        return try answer(context, download, size: bytes.count, tag: EntityTag.of(bytes)) { range in
            .stream(keepingBytes: 2 * bytes.count, length: range.count) { stream in
                try await stream.write(Array(bytes[range]))
                downloads.reportSent(range.count)
            }
        }
    }

    /// Throws `.notFound` for a lost object.
    private func unlessLost<Value: Sendable>(_ read: () async throws -> Value) async throws -> Value {
        do {
            return try await read()
        } catch StorageError.missing {
            // A 404 would be final, and the store may be missing only for a moment.
            try await store.confirmNow()
            throw Problem(.notFound)
        }
    }

    /// The whole file, or the wanted range of it.
    private func answer(
        _ context: RequestContext,
        _ download: Download,
        size: Int,
        tag: String,
        content: (Range<Int>) -> ResponseContent
    ) throws -> Response {
        var fields = Self.fields(of: download, tag)
        let whole = Response(.ok, fields: fields, content: content(0..<size))
        let checked = try Preconditions.apply(context.head, to: whole)
        guard checked.status.code == 200, context.head.method == .get else { return checked }
        switch RangeRequest(context.wantedRange(ifTag: tag), length: size) {
        case .whole: return checked
        case .part(let part):
            fields.append("Content-Range", "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(size)")
            return Response(.partialContent, fields: fields, content: content(part))
        case .unsatisfiable:
            var problem = Problem(.rangeNotSatisfiable)
            problem.fields = [("Content-Range", "bytes */\(size)")]
            throw problem
        }
    }

    private func found(_ token: String, _ address: IPAddress?) async throws -> Download {
        do {
            return try await downloads.download(token, from: address)
        } catch DownloadLink.Refusal.expired {
            throw Problem(.linkExpired)
        } catch DownloadLink.Refusal.unknown {
            throw Problem(.notFound)
        } catch let missing as DownloadService.Missing {
            throw Problem(missing)
        }
    }

    private static func fields(of download: Download, _ tag: String) -> FieldBlock {
        var fields: FieldBlock = [
            ("Content-Type", download.contentType), ("ETag", tag), ("Accept-Ranges", "bytes"),
            ("Cache-Control", download.isFixed ? "no-store" : thumbnailCaching),
        ]
        if let disposition = disposition(of: download) { fields.append("Content-Disposition", disposition) }
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
            retrySeconds = part == .preview ? 30 : 5
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
