/// The parts of a file's upload. A file may also be uploaded whole, as the only part.
package struct UploadPlan: Sendable, Equatable {
    /// The size of each part but the last, in bytes.
    package let partBytes: Int
    /// The size of the file.
    package let bytes: Int
    /// The limit of one part: 5 GiB.
    private static let partMaxBytes = 5 << 30
    /// S3's limit of the number of parts.
    private static let partCountMax = 10_000

    /// Uses parts of that size. Without one: parts of max(16 MiB, size/9000), so that a cut costs little and their
    /// number stays below the limit.
    package init(bytes: Int, partBytes: Int? = nil) {
        self.bytes = bytes
        self.partBytes = partBytes ?? max(16 << 20, (bytes + 8999) / 9000)
    }

    /// The smallest parts with which a file of that size has no more parts than S3 allows.
    package static func leastPartBytes(ofFile bytes: Int) -> Int { (bytes + partCountMax - 1) / partCountMax }

    /// The number of parts.
    package var partCount: Int { max(1, (bytes + partBytes - 1) / partBytes) }

    /// True if one PUT can upload the file.
    package var mayBeWhole: Bool { bytes <= Self.partMaxBytes }

    /// Returns the size in bytes of part `number`, counted from 1.
    package func bytes(ofPart number: Int) -> Int { min(partBytes, bytes - (number - 1) * partBytes) }

    /// Selects from the uploaded parts those that make the file; nil if some are missing.
    package func complete(_ parts: [S3Part]) -> [S3Part]? {
        if mayBeWhole, let first = parts.first, first.number == 1, first.bytes == bytes { return [first] }
        let own = parts.filter(isOwn)
        return own.count == partCount ? own : nil
    }

    /// Returns true if a part is one of the plan's.
    package func isOwn(_ part: S3Part) -> Bool {
        (1...partCount).contains(part.number) && part.bytes == bytes(ofPart: part.number)
    }
}

/// An uploaded part of a multipart upload.
package struct S3Part: Sendable, Equatable {
    /// From 1 to 10,000.
    package let number: Int
    /// The tag that completing requires.
    package let etag: String
    /// Its size, in bytes.
    package let bytes: Int

    /// A part as the service lists it.
    package init(number: Int, etag: String, bytes: Int) {
        self.number = number
        self.etag = etag
        self.bytes = bytes
    }
}

/// An uncompleted multipart upload.
package struct S3MultipartUpload: Sendable, Equatable {
    /// The service's id.
    package let id: String
    /// The future object; its time is the upload's start.
    package let object: StoredObject
}

extension S3Storage {
    /// Starts a multipart upload and returns its id. Throws `StorageError`.
    package func createMultipartUpload(_ key: ObjectKey, contentType: String) async throws -> String {
        try await pool.runStorage {
            let fields = [("content-type", contentType)]
            let request = S3Request(method: "POST", path: path(key), query: [("uploads", "")], fields: fields)
            guard let id = try document(request)["UploadId"] else {
                throw StorageError.unavailable("the answer names no upload")
            }
            return id
        }
    }

    /// Returns all uploaded parts in the order of their numbers. Throws `StorageError`, `.missing` for an unknown
    /// upload.
    package func parts(of key: ObjectKey, uploadID: String) async throws -> [S3Part] {
        var parts: [S3Part] = []
        var marker: String? = "0"
        while let current = marker {
            let page = try await pool.runStorage { try self.page(key, uploadID, after: current) }
            parts += page.parts
            marker = page.next
        }
        return parts
    }

    private func page(_ key: ObjectKey, _ uploadID: String, after marker: String) throws -> (
        parts: [S3Part], next: String?
    ) {
        let query = [("uploadId", uploadID), ("part-number-marker", marker), ("max-parts", String(pageMax))]
        let document = try document(S3Request(method: "GET", path: path(key), query: query))
        let parts = document.all("Part").compactMap { part -> S3Part? in
            guard let number = part["PartNumber"].flatMap({ Int($0) }), let etag = part["ETag"],
                let bytes = part["Size"].flatMap({ Int($0) })
            else { return nil }
            return S3Part(number: number, etag: etag, bytes: bytes)
        }
        return (parts, document["IsTruncated"] == "true" ? document["NextPartNumberMarker"] : nil)
    }

    /// Makes an object of the parts. A pool thread waits up to 10 minutes for the response. Throws `StorageError`:
    /// `.missing` for an unknown upload. An upload that is already complete may be unknown too; check with `size`.
    package func completeMultipartUpload(_ key: ObjectKey, uploadID: String, parts: [S3Part]) async throws {
        let items = parts.map { part in
            "<Part><PartNumber>\(part.number)</PartNumber><ETag>\(XMLElement.escaped(part.etag))</ETag></Part>"
        }
        let body =
            "<CompleteMultipartUpload xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\">"
            + items.joined() + "</CompleteMultipartUpload>"
        try await pool.runStorage {
            var request = S3Request(method: "POST", path: path(key), query: [("uploadId", uploadID)])
            request.body = Array(body.utf8)
            request.fields = [("content-type", "application/xml")]
            request.headLimitMs = 600_000
            _ = try document(request)
        }
    }

    /// Returns the uncompleted multipart uploads of all objects or of one. Throws `StorageError`.
    package func multipartUploads(of key: ObjectKey? = nil) async throws -> [S3MultipartUpload] {
        var uploads: [S3MultipartUpload] = []
        var marker: [SignableRequest.Field]? = []
        while let current = marker {
            let page = try await pool.runStorage { try self.uploadsPage(of: key, after: current) }
            uploads += page.uploads
            marker = page.next
        }
        return uploads
    }

    private func uploadsPage(of key: ObjectKey?, after marker: [SignableRequest.Field]) throws -> (
        uploads: [S3MultipartUpload], next: [SignableRequest.Field]?
    ) {
        var request = S3Request(method: "GET", path: "/\(settings.bucket)")
        request.query = [("uploads", ""), ("max-uploads", String(pageMax))] + marker
        if let key { request.query.append(("prefix", key.description)) }
        let document = try document(request)
        let uploads = document.all("Upload").compactMap { item -> S3MultipartUpload? in
            guard let id = item["UploadId"], let object = item.listedObject(writtenAt: "Initiated", bytes: 0) else {
                return nil
            }
            return S3MultipartUpload(id: id, object: object)
        }
        guard document["IsTruncated"] == "true", let nextKey = document["NextKeyMarker"],
            let nextID = document["NextUploadIdMarker"]
        else { return (uploads.filter { key == nil || $0.object.key == key }, nil) }
        return (
            uploads.filter { key == nil || $0.object.key == key },
            [("key-marker", nextKey), ("upload-id-marker", nextID)]
        )
    }

    /// Aborts a multipart upload and deletes its parts. An unknown upload is no error. Throws `StorageError`.
    package func abortMultipartUpload(_ key: ObjectKey, uploadID: String) async throws {
        try await pool.runStorage {
            let request = S3Request(method: "DELETE", path: path(key), query: [("uploadId", uploadID)])
            do { _ = try exchange(request) } catch StorageError.missing {}
        }
    }
}
