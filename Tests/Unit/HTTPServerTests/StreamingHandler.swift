import HTTP
import Net
import TestSupport

/// Handlers that read bodies piece by piece, and answer with the number of the pattern's bytes.
enum StreamingHandler {
    /// Reads the body at the given rate. Without a rate, the usual time limits of a request apply.
    static func reading(_ rate: MinimumRate? = nil, maxBytes: Int = .max) -> Server.Handler {
        { request in
            if let rate { request.limitByRate(rate) }
            return await read(request, maxBytes: maxBytes)
        }
    }

    static func read(
        _ request: Request,
        maxBytes: Int = .max,
        afterEach: @Sendable () async -> Void = {}
    ) async -> Response {
        var count = 0
        do throws(RequestBodyError) {
            while let piece = try await request.body.next(maxBytes: maxBytes) {
                guard BytePattern.matches(piece, at: count) else { return Response(Status(code: 422)) }
                count += piece.count
                await afterEach()
            }
            return Response(.ok, content: .bytes(Array("\(count)".utf8)))
        } catch {
            return RunningServer.refusal(of: error, request)
        }
    }

    /// Writes `count` bytes of the pattern.
    static func write(_ count: Int, to stream: ResponseStream) async throws {
        var written = 0
        while written < count {
            let piece = BytePattern.bytes(from: written, count - written)
            try await stream.write(piece)
            written += piece.count
        }
    }
}

extension RawHTTP {
    /// Sends `count` bytes of the pattern.
    func sendPattern(_ count: Int) throws {
        var sent = 0
        while sent < count {
            let piece = BytePattern.bytes(from: sent, count - sent)
            try send(piece)
            sent += piece.count
        }
    }
}

extension RawSocket {
    /// Sends the pattern from `start` to `end`, or until the peer reads nothing for the time limit. Returns the end of
    /// the sent part.
    func sendPattern(from start: Int, to end: Int) throws -> Int {
        var sent = start
        while sent < end {
            let count = try sendSome(BytePattern.bytes(from: sent, end - sent))
            guard count > 0 else { break }
            sent += count
        }
        return sent
    }
}
