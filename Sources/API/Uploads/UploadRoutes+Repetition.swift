import Crypto
import HTTP
import Storage
import Uploads

extension UploadRoutes {
    /// Answers a request that adds nothing to an upload that is complete. Chunked content shows at its end that it is empty.
    func answerAgain(
        _ wish: UploadRequest,
        _ upload: OpenedUpload,
        _ call: UploadCall,
        _ answers: UploadAnswers,
        _ seat: UploadSeat
    ) async throws -> Response {
        try await answering(call) {
            seat.begin(call.request.cut)
            guard try await call.stream?.received() == nil else { throw UploadRefusal.completed }
            return Response(answers.stored(upload.state, isCreation: wish.isCreation))
        }
    }

    /// Answers a request that sends a file to an upload that is complete. A client that lost the answer sends the same bytes, and gets it
    /// again; other bytes are refused, since nothing is stored here.
    func compare(
        _ upload: OpenedUpload,
        _ call: UploadCall,
        _ answers: UploadAnswers,
        _ seat: UploadSeat
    ) async throws -> Response {
        var stored = StoredBytes(try await storage.read(call.key))
        return try await answering(call) {
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

/// An object that is compared with bytes as they come. The verdict comes behind the last byte, in a time that depends on lengths alone: an
/// upload URL may write, and a verdict on each byte would tell its holder the file.
private struct StoredBytes {
    private let reader: ObjectReader
    /// What was read and not yet compared.
    private var rest: ArraySlice<UInt8> = []
    private var areEqual = true

    init(_ reader: ObjectReader) { self.reader = reader }

    /// Throws `otherContent` when more bytes come than the object has: its length is no secret.
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

    /// Whether the object has the bytes that came, and no more.
    mutating func areSent() async throws -> Bool { try await isAtEnd() && areEqual }

    private mutating func isAtEnd() async throws -> Bool {
        if rest.isEmpty { rest = try await reader.next()?[...] ?? [] }
        return rest.isEmpty
    }
}
