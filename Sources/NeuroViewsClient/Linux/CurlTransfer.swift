import CNeuroViewsCurl
import Glibc

/// One request at libcurl and what has arrived of its answer. Only libcurl's thread uses it.
final class CurlTransfer {
    let exchange: Exchange
    let easy: UnsafeMutableRawPointer
    let limits: TransportLimits
    /// libcurl's message when the transfer fails.
    let message = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))
    /// The lines of the request's fields. libcurl uses them until the end.
    var fields: UnsafeMutablePointer<curl_slist>?
    private var head = AnswerHead()
    private var place: DownloadFile.Place?
    private var body: [UInt8] = []
    /// The next byte of the file that is sent, within its region, and of the file that is received.
    private var sent: Int64 = 0
    private var received: Int64 = 0
    /// The reason why this side ended the transfer.
    private var failure: TransportError?

    /// Prepares the request. Throws `.other` if memory is exhausted.
    init(_ exchange: Exchange, _ trust: Trust, _ limits: TransportLimits) throws(TransportError) {
        guard let easy = curl_easy_init() else { throw .other("libcurl could not be initialised") }
        self.exchange = exchange
        self.easy = easy
        self.limits = limits
        message.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        setConnection(trust)
        setRequest()
        setCallbacks()
    }

    /// libcurl's multi handle no longer has the transfer.
    deinit {
        curl_easy_cleanup(easy)
        curl_slist_free_all(fields)
        message.deallocate()
    }

    /// The outcome of a transfer that ended with this code.
    func outcome(_ code: CURLcode) -> Exchange.Outcome {
        if let failure { return .failure(failure) }
        guard code == CURLE_OK || (code == CURLE_SEND_ERROR && isRefused) else {
            let text = String(cString: message)
            let reason = text.isEmpty ? String(cString: curl_easy_strerror(code)) : text
            return .failure(.init(code, reason, chainVerdict: nv_curl_chain_verdict(easy), stallS: limits.stallS))
        }
        guard head.isComplete else { return .failure(.notHTTP("no status")) }
        // An empty body calls nothing, and a file may have had a longer one.
        guard takeBody(UnsafeRawBufferPointer(start: nil, count: 0)) else { return .failure(failure ?? .fileEnded) }
        return .success(head.answer(body))
    }

    /// The whole answer came while the body was still being sent, and the peer wants no more of it.
    private var isRefused: Bool {
        hasRefusal && head.answer([])["Content-Length"] == "\(body.count)"
    }

    private var hasRefusal: Bool { head.isComplete && head.status >= 300 }

    // MARK: Callbacks, which return false to end the transfer

    func takeLine(_ line: UnsafeRawBufferPointer) -> Bool {
        guard head.take(Array(line), maxBytes: limits.headMaxBytes) else {
            return fails(.tooLarge(maxBytes: limits.headMaxBytes))
        }
        return true
    }

    func takeBody(_ bytes: UnsafeRawBufferPointer) -> Bool {
        if place == nil, !choosePlace() { return false }
        if place != .memory { return write(bytes) }
        guard body.count + bytes.count <= limits.answerMaxBytes else {
            return fails(.tooLarge(maxBytes: limits.answerMaxBytes))
        }
        body.append(contentsOf: bytes)
        return true
    }

    /// Fills libcurl's buffer with the next bytes of the file. Returns their number, nil to end the transfer.
    func giveBody(_ buffer: UnsafeMutableRawBufferPointer) -> Int? {
        guard case .file(let region) = exchange.request.body else { return 0 }
        let wanted = min(Int64(buffer.count), region.length - sent)
        // libcurl stops at a refusal, too, but not at one with "Connection: close".
        if wanted == 0 || hasRefusal { return 0 }
        if let source = region.source { return giveBody(buffer, Int(wanted), of: region, from: source) }
        var count = -1
        repeat {
            count = pread(region.descriptor, buffer.baseAddress, Int(wanted), off_t(region.offset + sent))
        } while count < 0 && errno == EINTR
        guard count > 0 else {
            _ = fails(count == 0 ? .fileEnded : .file(code: errno))
            return nil
        }
        sent += Int64(count)
        region.sent(sent)
        return count
    }

    /// The same with bytes that are made now.
    private func giveBody(
        _ buffer: UnsafeMutableRawBufferPointer,
        _ wanted: Int,
        of region: FileRegion,
        from source: any RegionSource
    ) -> Int? {
        do throws(TransportError) {
            let bytes = try source.bytes(at: region.offset + sent).prefix(wanted)
            buffer.copyBytes(from: bytes)
            sent += Int64(bytes.count)
            region.sent(sent)
            return bytes.count
        } catch {
            _ = fails(error)
            return nil
        }
    }

    private func choosePlace() -> Bool {
        guard let file = exchange.file else {
            place = .memory
            return true
        }
        do throws(TransportError) {
            place = try file.place(of: head.answer([]))
        } catch {
            return fails(error)
        }
        guard case .file(let offset) = place else { return true }
        received = offset
        guard offset > 0 || ftruncate(file.descriptor, 0) == 0 else { return fails(.file(code: errno)) }
        file.began(head.answer([]))
        return true
    }

    private func write(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard let file = exchange.file else { return false }
        guard Int64(bytes.count) <= file.limit - received else {
            return fails(.tooLarge(maxBytes: Int(clamping: file.limit)))
        }
        var rest = bytes
        while !rest.isEmpty {
            let count = pwrite(file.descriptor, rest.baseAddress, rest.count, off_t(received))
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { return fails(.file(code: errno)) }
            received += Int64(count)
            rest = UnsafeRawBufferPointer(rebasing: rest[count...])
        }
        file.received(received)
        return true
    }

    private func fails(_ error: TransportError) -> Bool {
        failure = error
        return false
    }
}
