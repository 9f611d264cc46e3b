import CNeuroViewsCurl

/// The work of libcurl's thread: gives exchanges their turn and ends them. Only that thread uses it.
final class CurlLoop {
    private let multi: CurlMulti
    private let mailbox: Guarded<[CurlThread.Message]>
    private let trust: Trust
    private let limits: TransportLimits
    private var turns: TransferTurns<Exchange>
    /// The transfers that libcurl has, by their `easy`.
    private var running: [UnsafeMutableRawPointer: CurlTransfer] = [:]
    private var isEnding = false

    init(_ multi: CurlMulti, _ mailbox: Guarded<[CurlThread.Message]>, _ trust: Trust, _ limits: TransportLimits) {
        self.multi = multi
        self.mailbox = mailbox
        self.trust = trust
        self.limits = limits
        turns = TransferTurns(max: limits.connectionsMax, filesMax: limits.filesMax)
    }

    /// Returns after the message `end`.
    func run() {
        while true {
            readMail()
            if isEnding { return cancelAll() }
            startNext()
            multi.perform()
            if endFinished() { continue }
            multi.poll()
        }
    }

    private func readMail() {
        let messages = mailbox.withLock { messages in
            defer { messages = [] }
            return messages
        }
        for message in messages {
            switch message {
            case .submit(let exchange) where exchange.isCancelled: exchange.end(.failure(.cancelled))
            case .submit(let exchange): turns.add(exchange, hasFile: exchange.hasFile)
            case .cancel(let exchange): cancel(exchange)
            case .end: isEnding = true
            }
        }
    }

    private func startNext() {
        while let exchange = turns.next() {
            do throws(TransportError) {
                let transfer = try CurlTransfer(exchange, trust, limits)
                running[transfer.easy] = transfer
                multi.add(transfer)
            } catch {
                turns.end(hasFile: exchange.hasFile)
                exchange.end(.failure(error))
            }
        }
    }

    /// Returns true if places got free.
    private func endFinished() -> Bool {
        var hasEnded = false
        while let (easy, code) = multi.nextFinished() {
            guard let transfer = running[easy] else { continue }
            end(transfer, transfer.outcome(code))
            hasEnded = true
        }
        return hasEnded
    }

    private func cancel(_ exchange: Exchange) {
        if let waiting = turns.remove(where: { $0 === exchange }) {
            waiting.end(.failure(.cancelled))
        } else if let transfer = running.values.first(where: { $0.exchange === exchange }) {
            end(transfer, .failure(.cancelled))
        }
    }

    private func cancelAll() {
        for exchange in turns.removeAll() { exchange.end(.failure(.cancelled)) }
        for transfer in running.values { end(transfer, .failure(.cancelled)) }
    }

    private func end(_ transfer: CurlTransfer, _ outcome: Exchange.Outcome) {
        multi.remove(transfer)
        running[transfer.easy] = nil
        turns.end(hasFile: transfer.exchange.hasFile)
        transfer.exchange.end(outcome)
    }
}
