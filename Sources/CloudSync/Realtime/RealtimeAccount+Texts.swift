extension RealtimeAccount {
    /// A batch ends with the message that reaches it.
    private static let batchBytes = 32 << 10
    private static let batchMessagesMax = 64

    func batch(for index: Int, _ nowMs: UInt64) -> [RealtimeOutput] {
        var (messages, bytes): ([RealtimeOutput], Int) = ([], 0)
        while bytes < Self.batchBytes, messages.count < Self.batchMessagesMax, let item = seats[index].out.next() {
            guard let message = message(of: item, for: index, nowMs) else { continue }
            messages.append(message)
            bytes += message.text.count
        }
        return messages
    }

    /// Nil: there is nothing to tell, or the client would not know the message.
    private func message(of item: Outgoing.Item, for index: Int, _ nowMs: UInt64) -> RealtimeOutput? {
        switch item {
        case .command(let waiting):
            guard let text = waiting.text(nowMs: nowMs) else { return nil }
            seats[index].writing.append(waiting)
            return RealtimeOutput(.remoteCommand, text, of: waiting)
        case .heads:
            if seats[index].noticeFromNs > 0 { effects.noticesFromNs.append(seats[index].noticeFromNs) }
            seats[index].noticeFromNs = 0
            guard seats[index].seat.speaksV2 else { return nil }
            return RealtimeOutput(.accountChanged, RealtimeText.accountChanged(heads))
        case .state(let key): return message(of: key, speaksV2: seats[index].seat.speaksV2)
        }
    }

    private func message(of key: StateKey, speaksV2: Bool) -> RealtimeOutput? {
        switch key {
        case .status(let device):
            if let status = shown(device)?.status { return Self.message(.deviceStatus, device, status) }
            return speaksV2 ? RealtimeOutput(.deviceStatus, RealtimeText.offline(device)) : nil
        case .stream(let device, let id):
            guard let stream = shown(device)?.stream(id) else {
                return speaksV2 ? RealtimeOutput(.streamingStopped, RealtimeText.stopped(device, id)) : nil
            }
            return Self.message(.streamingStarted, device, stream.started)
        case .metrics(let device, let id):
            return Self.message(.streamingMetrics, device, shown(device)?.stream(id)?.metrics)
        case .error(let device, let id):
            return Self.message(.streamingError, device, shown(device)?.stream(id)?.error)
        }
    }

    private static func message(_ label: MessageLabel, _ device: String, _ data: [UInt8]?) -> RealtimeOutput? {
        data.map { RealtimeOutput(label, RealtimeText.message(label.name, from: device, data: $0)) }
    }
}
