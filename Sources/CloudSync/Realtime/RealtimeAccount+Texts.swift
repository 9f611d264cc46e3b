extension RealtimeAccount {
    /// A batch ends with the message that reaches it.
    private static let batchBytes = 32 << 10
    private static let batchMessagesMax = 64

    func batch(for index: Int, _ nowMs: UInt64) -> [[UInt8]] {
        var (texts, bytes): ([[UInt8]], Int) = ([], 0)
        while bytes < Self.batchBytes, texts.count < Self.batchMessagesMax, let item = seats[index].out.next() {
            guard let text = text(of: item, for: index, nowMs) else { continue }
            texts.append(text)
            bytes += text.count
        }
        return texts
    }

    /// Nil: there is nothing to tell, or the client would not know the message.
    private func text(of item: Outgoing.Item, for index: Int, _ nowMs: UInt64) -> [UInt8]? {
        switch item {
        case .command(let waiting):
            guard waiting.untilMs > nowMs else { return nil }
            seats[index].writing.append(waiting.command)
            return RealtimeText.command(waiting.command, remainingMs: Int(waiting.untilMs - nowMs))
        case .heads:
            if seats[index].noticeFromNs > 0 { effects.noticesFromNs.append(seats[index].noticeFromNs) }
            seats[index].noticeFromNs = 0
            return seats[index].seat.speaksV2 ? RealtimeText.accountChanged(heads) : nil
        case .state(let key): return text(of: key, speaksV2: seats[index].seat.speaksV2)
        }
    }

    private func text(of key: StateKey, speaksV2: Bool) -> [UInt8]? {
        switch key {
        case .status(let device):
            guard let status = shown(device)?.status else { return speaksV2 ? RealtimeText.offline(device) : nil }
            return RealtimeText.message("device_status", from: device, data: status)
        case .stream(let device, let id):
            guard let stream = shown(device)?.stream(id) else {
                return speaksV2 ? RealtimeText.stopped(device, id) : nil
            }
            return stream.started.map { RealtimeText.message("streaming_started", from: device, data: $0) }
        case .metrics(let device, let id):
            let metrics = shown(device)?.stream(id)?.metrics
            return metrics.map { RealtimeText.message("streaming_metrics", from: device, data: $0) }
        case .error(let device, let id):
            let error = shown(device)?.stream(id)?.error
            return error.map { RealtimeText.message("streaming_error", from: device, data: $0) }
        }
    }
}
