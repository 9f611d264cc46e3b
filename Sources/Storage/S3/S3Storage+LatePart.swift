extension S3Storage {
    /// Tries whether the URL of a part changes the object that was completed from it. OpenStack Swift accepts such a
    /// part while the object exists, and overwrites what the object consists of: it can't be read any more. Other
    /// services answer NoSuchUpload. Uses an object of its own and removes it. Throws `StorageError`.
    package func latePartChangesObject() async throws -> Bool {
        guard let key = ObjectKey("self-test-\(UInt64.random(in: .min ... .max))") else { return false }
        let id = try await createMultipartUpload(key, contentType: "text/plain")
        do {
            let isChanged = try await latePartChanges(key, uploadID: id)
            try await delete(key)
            return isChanged
        } catch {
            // The first error has the cause.
            try? await delete(key)
            try? await abortMultipartUpload(key, uploadID: id)
            throw error
        }
    }

    private func latePartChanges(_ key: ObjectKey, uploadID: String) async throws -> Bool {
        // A URL is for one length.
        let (first, late) = (Array("the first part".utf8), Array("the later part".utf8))
        let url = presignedPart(key, uploadID: uploadID, number: 1, bytes: first.count, expiresS: 60)
        let stored = try await send(first, by: url)
        guard stored.isAccepted else { throw S3Refusal.error(stored.status, stored.body) }
        let all = try await parts(of: key, uploadID: uploadID)
        try await completeMultipartUpload(key, uploadID: uploadID, parts: all)
        guard try await content(of: key) == first else {
            throw StorageError.unavailable("a completed upload differs from its part")
        }
        guard try await send(late, by: url).isAccepted else { return false }
        do {
            return try await content(of: key) != first
        } catch {
            // It could be read before.
            return true
        }
    }

    private func content(of key: ObjectKey) async throws -> [UInt8] {
        try await pool.runStorage { try exchange(S3Request(method: "GET", path: path(key))).body }
    }

    private func send(_ bytes: [UInt8], by url: PresignedRequest) async throws -> PartAnswer {
        let fields = url.fields.map { (name: $0.key, value: $0.value) }
        return try await pool.runStorage {
            let request = HTTPRequest(method: url.method, url: url.url, fields: fields, body: bytes)
            let answer = try client.exchange(request)
            return PartAnswer(status: answer.head.status, body: answer.body)
        }
    }
}

/// The response to a client's PUT of a part.
private struct PartAnswer: Sendable {
    let status: Int
    let body: [UInt8]

    var isAccepted: Bool { (200..<300).contains(status) }
}
