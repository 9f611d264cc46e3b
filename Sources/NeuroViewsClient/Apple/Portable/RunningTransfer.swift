import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking

    @testable import NeuroViewsClient
#endif

/// One request at URLSession and what has arrived of its answer. Only the session's queue uses it, after it has begun.
final class RunningTransfer {
    let exchange: Exchange
    let task: URLSessionTask
    /// True if the server wants a password. FoundationNetworking gives up then, though the answer is there.
    var isChallenged = false
    private let limits: TransportLimits
    private var head: TransferAnswer?
    private var place = DownloadFile.Place.memory
    private var body: [UInt8] = []
    private var bodyBytes: Int64 = 0
    /// The next byte of the file.
    private var next: Int64 = 0
    /// The reason why this side ended the transfer.
    private var failure: TransportError?

    init(_ exchange: Exchange, _ task: URLSessionTask, _ limits: TransportLimits) {
        (self.exchange, self.task, self.limits) = (exchange, task, limits)
    }

    /// So many bytes of the body were handed to the network.
    func sent(_ bytes: Int64) {
        if case .file(let region) = exchange.request.body { region.sent(bytes) }
    }

    /// Takes the head. Returns false to end the transfer.
    func take(_ response: URLResponse) -> Bool {
        guard let response = response as? HTTPURLResponse else { return fails(.notHTTP("no status")) }
        // FoundationNetworking reports interim answers, too.
        guard response.statusCode >= 200 else { return true }
        let answer = TransferAnswer(response)
        let bytes = answer.fields.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count + 4 }
        guard bytes <= limits.headMaxBytes else { return fails(.tooLarge(maxBytes: limits.headMaxBytes)) }
        head = answer
        guard let file = exchange.file else { return true }
        do throws(TransportError) {
            place = try file.place(of: answer)
        } catch {
            return fails(error)
        }
        guard case .file(let offset) = place else { return true }
        next = offset
        guard offset > 0 || ftruncate(file.descriptor, 0) == 0 else { return fails(.file(code: errno)) }
        file.began(answer)
        return true
    }

    /// Takes bytes of the body. Returns false to end the transfer.
    func take(_ data: Data) -> Bool {
        guard failure == nil else { return false }
        bodyBytes += Int64(data.count)
        if case .file = place { return write(data) }
        guard body.count + data.count <= limits.answerMaxBytes else {
            return fails(.tooLarge(maxBytes: limits.answerMaxBytes))
        }
        body += data
        return true
    }

    /// The outcome of the ended task. `refused` is the reason why its peer is not trusted.
    func outcome(_ error: (any Error)?, refused: TrustProblem?) -> Exchange.Outcome {
        if let failure { return .failure(failure) }
        if let error, !isChallenged || head == nil {
            let reason = TransportError(error, stallS: limits.stallS)
            // Nobody here has cancelled it.
            guard reason == .cancelled, !exchange.isCancelled else { return .failure(reason) }
            return .failure(refused.map { .untrusted($0) } ?? .cut("the system ended it"))
        }
        guard let head else { return .failure(.notHTTP("no status")) }
        guard isWhole(head) else { return .failure(.cut("the answer is shorter than its length")) }
        return .success(TransferAnswer(status: head.status, fields: head.fields, body: body))
    }

    private func isWhole(_ head: TransferAnswer) -> Bool {
        let hasBody = exchange.request.method != "HEAD" && head.status != 204 && head.status != 304
        guard hasBody, head["Content-Encoding"] == nil, let length = head["Content-Length"].flatMap({ Int64($0) })
        else { return true }
        return bodyBytes == length
    }

    private func write(_ data: Data) -> Bool {
        guard let file = exchange.file else { return false }
        guard Int64(data.count) <= file.limit - next else {
            return fails(.tooLarge(maxBytes: Int(clamping: file.limit)))
        }
        let code = data.withUnsafeBytes { bytes -> Int32 in
            var done = 0
            while done < bytes.count {
                let rest = UnsafeRawBufferPointer(rebasing: bytes[done...])
                let count = pwrite(file.descriptor, rest.baseAddress, rest.count, off_t(next))
                if count < 0 && errno == EINTR { continue }
                guard count > 0 else { return errno }
                done += count
                next += Int64(count)
            }
            return 0
        }
        guard code == 0 else { return fails(.file(code: code)) }
        file.received(next)
        return true
    }

    private func fails(_ error: TransportError) -> Bool {
        failure = error
        return false
    }
}
