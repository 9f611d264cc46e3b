import HTTP
import Storage
import Uploads

extension UploadRoutes {
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
            try await call.announce(answers)
            while let piece = try await call.stream?.received() {
                guard try await stored.continue(with: piece) else { throw UploadRefusal.otherContent }
            }
            guard try await stored.isAtEnd() else { throw UploadRefusal.otherContent }
            return Response(answers.stored(upload.state, isCreation: true))
        }
    }
}

/// An object that is compared with bytes as they come.
private struct StoredBytes {
    private let reader: ObjectReader
    /// What was read and not yet compared.
    private var rest: ArraySlice<UInt8> = []

    init(_ reader: ObjectReader) { self.reader = reader }

    /// Whether the object goes on with these bytes.
    mutating func `continue`(with bytes: [UInt8]) async throws -> Bool {
        var bytes = bytes[...]
        while !bytes.isEmpty {
            guard try await !isAtEnd() else { return false }
            let count = min(bytes.count, rest.count)
            guard bytes.prefix(count) == rest.prefix(count) else { return false }
            bytes.removeFirst(count)
            rest.removeFirst(count)
        }
        return true
    }

    mutating func isAtEnd() async throws -> Bool {
        if rest.isEmpty { rest = try await reader.next()?[...] ?? [] }
        return rest.isEmpty
    }
}
