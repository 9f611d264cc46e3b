import CloudSync
import HTTP
import Net

/// The way to the client.
extension RealtimeSocket {
    /// Takes messages of the hub.
    func receive(_ delivery: RealtimeDelivery) {
        guard seat != nil else { return }
        switch delivery {
        case .messages(let messages):
            for message in messages { services.counts.add(.sent, message.label) }
            figures.sent += messages.count
            queue.add(batch: messages.map { Self.frame($0) })
            write()
        case .states(let bytes): keepStates(bytes)
        case .refused(let refusal, let reply): answer(SocketText.refused(refusal), reply)
        case .ended(.sessionEnded): close(.tokenEnded)
        case .ended(.replaced): close(.replaced)
        case .ended(.databaseAway): close(.tryLater)
        }
    }

    /// A command may wait long behind answers that the client does not read: its frame is made when it is written.
    private static func frame(_ message: RealtimeOutput) -> SocketFrame {
        guard message.isTimed else { return .fixed(SocketWire.text(message.text)) }
        return .timed { message.written(atMs: Monotonic.nowMs()).map { SocketWire.text($0) } }
    }

    /// Writes as much as the client takes. The rest follows when it takes more.
    func write() {
        guard let connection, state != .gone else { return }
        do {
            while queue.fill() {
                let count = try connection.writeNow(queue.flight)
                figures.bytes += count
                if count > 0 { blockedMs = nil }
                queue.drop(count)
                guard queue.flight.isEmpty else { return wait(connection) }
            }
        } catch {
            return end(resets: true)
        }
        blockedMs = nil
        // A message of the client may have begun.
        release(reservedBytes - wire.keptBytes)
        if queue.takeBatchEnd(), let seat { services.hub.wrote(seat) }
        if queue.isClosed, wire.isClosed { return end(resets: false) }
        if queue.takeRoom() { readLater() }
    }

    /// The rest of a frame in flight counts in the memory of the connection's holder. Without room the socket ends.
    private func wait(_ connection: HandedConnection) {
        blockedMs = blockedMs ?? Monotonic.nowMs()
        guard reserveBegun() else {
            code = CloseReason.tryLater.code
            return end(resets: true)
        }
        connection.whenWritable { [unowned self] in self.write() }
        if queue.takeRoom() { readLater() }
    }

    /// Answers one of the client's messages. Only clients that know the added types get answers.
    func answer(_ problem: Problem, _ reply: String?) {
        // A client that causes more of them than it reads gets only some.
        guard speaksV2, state == .open, !queue.isFull else { return }
        let text = SocketText.error(problem, reply, base: opening.publicURL, instance: opening.id)
        send(answer: text, .error)
    }

    /// Sends a message that is for this socket alone.
    func send(answer text: [UInt8], _ label: MessageLabel) {
        guard state == .open else { return }
        services.counts.add(.sent, label)
        figures.sent += 1
        queue.add(answer: SocketWire.text(text))
        write()
    }
}

/// The memory of the connection's holder.
extension RealtimeSocket {
    /// Counts `count` bytes in place of those that are counted for frames.
    func reserve(_ count: Int) -> Bool {
        let more = count - reservedBytes
        if more <= 0 {
            release(-more)
            return true
        }
        guard connection?.reserve(more) == true else { return false }
        reservedBytes += more
        return true
    }

    /// Releases bytes of frames.
    func release(_ count: Int) {
        guard count > 0 else { return }
        reservedBytes -= count
        connection?.release(count)
    }

    /// Without room the socket ends: its states would be free of charge.
    private func keepStates(_ bytes: Int) {
        let more = bytes - statesBytes
        // Before the 101 there is no connection: `reserveStates` follows.
        if more > 0, let connection, !connection.reserve(more) { return close(.tryLater) }
        if more < 0 { connection?.release(-more) }
        statesBytes = bytes
    }

    /// Counts the states that came before the connection.
    func reserveStates() {
        let bytes = statesBytes
        statesBytes = 0
        if bytes > 0 { keepStates(bytes) }
    }

    func releaseStates() {
        if statesBytes > 0 { connection?.release(statesBytes) }
        statesBytes = 0
    }
}
