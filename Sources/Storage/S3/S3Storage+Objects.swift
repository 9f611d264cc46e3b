extension S3Storage {
    /// Stores a small object, sent from memory within `limitMs`, nil for 30 s. Throws `StorageError`.
    package func put(_ bytes: [UInt8], as key: ObjectKey, contentType: String, limitMs: Int? = nil) async throws {
        try await pool.runStorage {
            var request = S3Request(
                method: "PUT",
                path: path(key),
                fields: [("content-type", contentType)],
                body: bytes
            )
            if let limitMs { request.headLimitMs = limitMs }
            _ = try exchange(request)
        }
    }

    /// Returns the size in bytes. Throws `StorageError`, `.missing` if there is no such object.
    package func size(of key: ObjectKey) async throws -> Int {
        try await pool.runStorage { try self.sizeNow(key) }
    }

    private func sizeNow(_ key: ObjectKey) throws -> Int {
        let head = try exchange(S3Request(method: "HEAD", path: path(key))).head
        guard let bytes = head.contentLength else { throw StorageError.unavailable("the answer has no Content-Length") }
        return bytes
    }

    /// Opens an object, or a range of it. Throws like `ObjectStorage.read`.
    package func read(_ key: ObjectKey, _ range: Range<Int>? = nil) async throws -> ObjectReader {
        if let range, range.isEmpty { return try await readNothing(key, at: range) }
        return try await pool.runStorage {
            var request = S3Request(method: "GET", path: path(key))
            if let range { request.fields.append(("range", "bytes=\(range.lowerBound)-\(range.upperBound - 1)")) }
            let transfer = try client.open(signed(request))
            guard let whole = RangeOfAnswer(transfer.head, asked: range) else {
                throw try refusal(transfer, key)
            }
            return ObjectReader(
                objectBytes: whole.objectBytes,
                range: whole.range,
                file: nil,
                source: transfer,
                pool: pool
            )
        }
    }

    /// HTTP has no empty range.
    private func readNothing(_ key: ObjectKey, at range: Range<Int>) async throws -> ObjectReader {
        let bytes = try await size(of: key)
        let range = try Range.inObject(range, objectBytes: bytes)
        return ObjectReader(objectBytes: bytes, range: range, file: nil, source: NoPieces(), pool: pool)
    }

    /// Deletes an object. A missing object is no error. Throws `StorageError`.
    package func delete(_ key: ObjectKey) async throws {
        try await pool.runStorage {
            do { _ = try exchange(S3Request(method: "DELETE", path: path(key))) } catch StorageError.missing {}
        }
    }

    /// Returns at most 1,000 objects with names after `position`, sorted by name. Throws `StorageError`.
    package func objects(from position: String) async throws -> StoragePage {
        try await pool.runStorage {
            var request = S3Request(method: "GET", path: "/\(settings.bucket)")
            request.query = [("list-type", "2"), ("max-keys", String(pageMax))]
            if !position.isEmpty { request.query.append(("start-after", position)) }
            let document = try document(request)
            let items = document.all("Contents")
            return StoragePage(
                objects: items.compactMap {
                    $0.listedObject(writtenAt: "LastModified", bytes: $0["Size"].flatMap { Int($0) })
                },
                next: document["IsTruncated"] == "true" ? items.last?["Key"] : nil
            )
        }
    }

    private func refusal(_ transfer: HTTPTransfer, _ key: ObjectKey) throws -> StorageError {
        let status = transfer.head.status
        let error = S3Refusal.error(status, try client.collect(transfer))
        // Not every service sends the size with a 416.
        return status == 416 ? .outOfRange(sizeBytes: try sizeNow(key)) : error
    }
}

private struct NoPieces: PieceSource {
    func piece() -> [UInt8]? { nil }
}

/// The part of an object in a response. Nil if the response has none.
private struct RangeOfAnswer {
    let objectBytes: Int
    let range: Range<Int>

    init?(_ head: HTTPHead, asked: Range<Int>?) {
        guard let length = head.contentLength, head.status == (asked == nil ? 200 : 206) else { return nil }
        let start = asked?.lowerBound ?? 0
        range = start..<(start + length)
        guard asked != nil else {
            objectBytes = length
            return
        }
        // "bytes 0-9/123".
        guard let size = head.contentRange?.split(separator: "/").last.flatMap({ Int($0) }) else { return nil }
        objectBytes = size
    }
}
