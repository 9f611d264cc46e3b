import CloudSync
import HTTP
import Net
import NeuroViewsJSON

/// The way from the client.
extension RealtimeSocket {
    /// The bytes of one turn. Others on the loop then have theirs.
    private static let turnMaxBytes = 64 << 10
    /// The same of a client that sends too fast, and the time from one turn to the next: dropping costs time, too.
    private static let excessTurnMaxBytes = 4 << 10
    private static let excessPauseMs: UInt64 = 400
    /// Wrong messages in a row that end the socket.
    private static let faultsMax = 20
    /// Commands that one socket waits for: as many as the account may have open.
    private static let commandsMax = 16

    /// Reads until nothing is there, and then waits. A client that takes no answers is not read.
    func read() {
        var count = 0
        while let connection, !queue.isFull {
            guard count < Self.turnMaxBytes else { return readLater() }
            var bytes: [UInt8] = []
            do {
                let maxBytes = rate.isExceeded ? Self.excessTurnMaxBytes : Self.turnMaxBytes
                let next = try connection.readNow(into: &bytes, maxBytes: maxBytes)
                guard let read = next else { return sleep(connection) }
                guard read > 0 else { return end(resets: false) }
                count += read
            } catch {
                return end(resets: true)
            }
            figures.bytes += bytes.count
            (heardMs, pingedMs) = (Monotonic.nowMs(), nil)
            take(bytes)
            if rate.isExceeded { return pause() }
        }
        queue.awaitRoom()
    }

    private func sleep(_ connection: HandedConnection) {
        guard reserveBegun() else { return close(.tryLater) }
        // Else thousands of sockets, each with a byte at a time, would delay each step of a request.
        connection.setPatient(wire.isWithin)
        // Until its end the socket is in its loop's list. A weak reference would make each use of the socket dearer.
        connection.whenReadable(deadlineMs: .max) { [unowned self] in self.read() }
    }

    private func pause() {
        guard state != .gone else { return }
        guard reserveBegun() else { return close(.tryLater) }
        readLater(afterMs: Self.excessPauseMs)
    }

    /// A message that has begun is kept until its end.
    func reserveBegun() -> Bool { reserve(queue.flight.count + wire.keptBytes) }

    func readLater(afterMs delayMs: UInt64 = 0) {
        guard let handle else { return }
        handle.loop.spawn {
            if delayMs > 0 { await handle.loop.sleep(forMs: delayMs) } else { await handle.loop.yield() }
            handle.value.read()
        }
    }

    private func take(_ bytes: [UInt8]) {
        for item in wire.take(bytes) {
            switch item {
            case .message(let text): take(message: text)
            case .ping(let payload):
                guard state == .open, isWithinRate(payload.count, answers: false) else { continue }
                queue.add(control: SocketWire.pong(payload))
            case .pong(let byteCount): _ = isWithinRate(byteCount, answers: false)
            case .close(let reason): closed(reason)
            case .fault(let reason): close(reason)
            }
        }
        if state != .gone { write() }
    }

    /// The client's close frame: it is answered, unless it is the answer.
    private func closed(_ reason: CloseReason) {
        if state == .open { close(reason) }
        if queue.isClosed { end(resets: false) }
    }

    /// Counts a message or a control frame, and returns false if it must be dropped.
    private func isWithinRate(_ count: Int, answers: Bool) -> Bool {
        switch rate.add(bytes: count, nowMs: heardMs) {
        case .accepted: return true
        case .tooFast:
            if answers { answer(Problem(.rateLimited, SocketText.rateAdvice), nil) }
        case .dropped: break
        case .ended: close(.refused)
        }
        return false
    }

    private func take(message text: [UInt8]) {
        guard state == .open else { return }
        spokeMs = heardMs
        figures.received += 1
        guard isWithinRate(text.count, answers: true) else { return services.counts.add(.received, .dropped) }
        do throws(RealtimeFault) {
            let message = try opening.rules.message(text)
            faults = 0
            services.counts.add(.received, message.label)
            take(message.content)
        } catch {
            services.counts.add(.received, .invalid)
            refuse(error)
        }
    }

    private func refuse(_ fault: RealtimeFault) {
        guard case .invalid(let violations, let reply) = fault else { return close(.notJSON) }
        if !fault.isUnknownType { faults += 1 }
        guard faults < Self.faultsMax else { return close(.refused) }
        answer(Problem(CloudSyncError.invalid(violations)), reply)
    }

    private func take(_ content: RealtimeMessage.Content) {
        guard let seat else { return }
        switch content {
        case .event(let event):
            // A session without a device takes the name of its first status.
            if case .deviceStatus(let device, _) = event.kind, name == seat.sessionID { name = device }
            services.hub.publish(event, from: seat, reply: nil)
        case .command(let command): send(command, seat)
        case .result(let result):
            report(result, seat)
        }
    }
}

/// Commands of the client.
extension RealtimeSocket {
    private func send(_ command: RemoteCommand, _ seat: RealtimeSeat) {
        guard let handle else { return }
        guard openCommands < Self.commandsMax else {
            return answer(Problem(.rateLimited, SocketText.commandsAdvice), command.id)
        }
        openCommands += 1
        let (services, opening, sender) = (self.services, self.opening, name)
        seat.loop.spawn {
            let outcome: Result<CommandOutcome, any Error>
            do {
                outcome = .success(try await opening.send(command, seat, sender, services.commands))
            } catch {
                outcome = .failure(error)
            }
            handle.value.finish(command, outcome)
        }
    }

    private func report(_ result: CommandResult, _ seat: RealtimeSeat) {
        guard let handle else { return }
        let (commands, device) = (services.commands, name)
        seat.loop.spawn {
            do {
                guard try await !commands.end(result, by: device, of: seat.account) else { return }
                handle.value.answer(Problem(.rateLimited, SocketText.resultsAdvice), result.replyTo)
            } catch {
                handle.value.fail(error, result.replyTo)
            }
        }
    }

    private func finish(_ command: RemoteCommand, _ outcome: Result<CommandOutcome, any Error>) {
        openCommands -= 1
        switch outcome {
        case .success(let outcome):
            guard speaksV2 else { return }
            send(answer: SocketText.result(outcome), .commandResult)
        case .failure(let error): fail(error, command.id)
        }
    }

    /// Answers a message that had no effect.
    private func fail(_ error: any Error, _ reply: String) {
        let (problem, failure) = opening.problem(of: error)
        figures.failure = failure ?? figures.failure
        answer(problem, reply)
    }
}
