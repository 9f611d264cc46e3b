import HTTP
import NeuroViewsCrypto
import Storage
import Uploads

extension UploadRoutes {
    /// Answers a request that adds nothing to a complete upload. Chunked content is known to be empty only at its end.
    func storedResponse(
        _ wish: UploadRequest,
        _ upload: OpenedUpload,
        _ call: UploadCall,
        _ answers: UploadAnswers,
        _ seat: UploadSeat
    ) async throws -> Response {
        try await catchingFailures(of: call) {
            seat.begin(call.request.cut)
            guard try await call.stream?.received() == nil else { throw UploadRefusal.completed }
            return Response(answers.stored(upload.state, isCreation: wish.isCreation))
        }
    }

    /// Answers a request that sends a file to a complete upload. A client that lost the response sends the same bytes,
    /// and gets it again. Other bytes are rejected, since nothing is stored here.
    func compare(
        _ upload: OpenedUpload,
        _ call: UploadCall,
        _ answers: UploadAnswers,
        _ seat: UploadSeat
    ) async throws -> Response {
        var stored = StoredBytes(try await storage.read(call.key))
        return try await catchingFailures(of: call) {
            // A newer request need not wait for this one's bytes.
            seat.begin(call.request.cut)
            while let piece = try await call.stream?.received() { try await stored.compare(piece) }
            guard try await stored.areSent() else { throw UploadRefusal.otherContent }
            return Response(answers.stored(upload.state, isCreation: true))
        }
    }
}

extension UploadRequest {
    fileprivate var isCreation: Bool { if case .create = action { true } else { false } }
}

/// Compares an object with received bytes. The verdict follows the last byte, in a time that depends on lengths alone.
/// An upload URL permits writes only: a verdict on each byte would reveal the file to its holder.
private struct StoredBytes {
    private let reader: ObjectReader
    /// Bytes that were read and not yet compared.
    private var rest: ArraySlice<UInt8> = []
    private var areEqual = true

    init(_ reader: ObjectReader) { self.reader = reader }

    /// Throws `otherContent` for more bytes than the object has: its length is no secret.
    mutating func compare(_ bytes: [UInt8]) async throws {
        var bytes = bytes[...]
        while !bytes.isEmpty {
            guard try await !isAtEnd() else { throw UploadRefusal.otherContent }
            let count = min(bytes.count, rest.count)
            let isEqual = constantTimeEquals(Array(bytes.prefix(count)), Array(rest.prefix(count)))
            areEqual = isEqual && areEqual
            bytes.removeFirst(count)
            rest.removeFirst(count)
        }
    }

    /// Returns true if the object has exactly the received bytes.
    mutating func areSent() async throws -> Bool { try await isAtEnd() && areEqual }

    private mutating func isAtEnd() async throws -> Bool {
        if rest.isEmpty { rest = try await reader.next()?[...] ?? [] }
        return rest.isEmpty
    }
}
