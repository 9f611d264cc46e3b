/// The work of a WebSocket's thread: connects, asks for the upgrade, and carries messages until the end.
final class ChannelThread {
    private let request: TransferRequest
    private let origin: Origin
    private let trust: Trust
    private let limits: ChannelLimits
    private let multi: CurlMulti
    private let wire: ChannelWire

    init(
        _ request: TransferRequest,
        to origin: Origin,
        _ trust: Trust,
        _ limits: ChannelLimits,
        _ multi: CurlMulti,
        _ wire: ChannelWire
    ) {
        (self.request, self.origin, self.trust) = (request, origin, trust)
        (self.limits, self.multi, self.wire) = (limits, multi, wire)
    }

    /// Returns at the end of the channel.
    func run() {
        do throws(TransportError) {
            let line = try CurlLine(to: request.url, origin, trust, connectS: limits.openingS)
            try line.connect()
            guard let rest = try upgrade(line) else { return }
            wire.answer(.success(.opened(CurlChannel(wire))))
            serve(line, rest)
        } catch {
            wire.answer(.failure(error))
        }
    }

    /// Asks for the upgrade. Returns the bytes behind the answer; nil if the server has refused.
    private func upgrade(_ line: CurlLine) throws(TransportError) -> [UInt8]? {
        let upgrade = UpgradeRequest(request)
        line.add(upgrade.bytes)
        switch try answer(line) {
        case .more: return nil
        case .refused(let answer):
            wire.answer(.success(.refused(answer)))
            return nil
        case .opened(let head, let rest):
            guard upgrade.isAccepted(by: head) else { throw .notHTTP("no WebSocket at the other end") }
            return rest
        }
    }

    private func answer(_ line: CurlLine) throws(TransportError) -> UpgradeAnswer.Step {
        let end = ContinuousClock.now + .seconds(limits.openingS)
        var answer = UpgradeAnswer(maxBytes: limits.answerMaxBytes)
        while .now < end {
            if wire.takeOrders().ends { throw .cancelled }
            try line.flush()
            while let bytes = try line.read() {
                let step = try answer.take(bytes)
                if case .more = step { continue }
                return step
            }
            let rest = Int32((end - .now) / .milliseconds(1)) + 1
            multi.poll(line.socket, reads: true, writes: line.unsentBytes > 0, ms: max(1, rest))
        }
        throw .stalled(seconds: limits.openingS)
    }

    private func serve(_ line: CurlLine, _ rest: [UInt8]) {
        var service = ChannelService(line, multi, wire, limits)
        do throws(TransportError) {
            wire.deliver(.ended(try service.run(rest)))
        } catch {
            wire.deliver(.ended(ChannelEnd(reason: error.description)))
        }
    }
}
