import CloudSync
import HTTP
import Net
import NeuroViewsCrypto

/// A request's body, read as a stream (policy `.streamed`).
final class BodyStream {
    private let request: Request
    private let maxBytes: Int
    /// The digest that the signature covers; nil without one.
    private let signedDigest: [UInt8]?
    private var digest = SHA256()

    /// Throws a problem when Content-Length exceeds the limit.
    init(_ request: Request, maxBytes: Int, signedDigest: [UInt8]?) throws(Problem) {
        self.request = request
        self.maxBytes = maxBytes
        self.signedDigest = signedDigest
        do {
            try request.body.admit(maxBytes: maxBytes)
        } catch {
            throw Problem(error, maxBytes: maxBytes)
        }
    }

    /// The next piece, at most 512 KiB; nil at the end. Only this call reads the connection; the first
    /// call sends 100 Continue when the client waits for it. Throws a problem, at the end also when the
    /// body does not match the signed digest.
    func next() async throws -> [UInt8]? {
        do {
            let piece = try await received()
            try check(piece)
            return piece
        } catch let error as RequestBodyError {
            throw Problem(error, maxBytes: maxBytes)
        }
    }

    /// The same for a body that no signature covers. Throws the reason of the failure.
    func received() async throws(RequestBodyError) -> [UInt8]? {
        let startedNs = Monotonic.nowNs()
        defer { request.record.times.bodyNs += Monotonic.nowNs() - startedNs }
        let piece = try await request.body.next(maxBytes: maxBytes)
        request.record.bodyBytes += piece?.count ?? 0
        return piece
    }

    private func check(_ piece: [UInt8]?) throws(CloudSyncError) {
        guard let signedDigest else { return }
        if let piece {
            digest.update(piece)
        } else if digest.digest() != signedDigest {
            throw .unauthenticated(.signatureInvalid)
        }
    }
}
