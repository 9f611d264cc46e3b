import Net

/// Requests that are limited by a rate instead of a total time.
extension Connection {
    /// Replaces the total time limit of the current request.
    func limitByRate(_ rate: MinimumRate) {
        guard phase == .working else { return }
        pace = RequestPace(rate)
        noteProgress()
    }

    /// Moves the deadline of a request with a rate. A request without progress times out like any other.
    func noteProgress() {
        heardMs = nowMs
        if pace != nil { requestDeadlineMs = nowMs + limits.requestTimeoutMs }
    }

    /// Resets the connection when its client reads the response too slowly. Called about once a second.
    func checkPace() {
        guard let pace, phase == .sending else { return }
        let taken = socket.acknowledgedBytes
        switch pace.look(nowMs: nowMs, sentBytes: socket.sentBytes, takenBytes: taken) {
        case .advancing: noteProgress()
        case .idle: break
        case .tooSlow:
            home.counts.writeTimeouts += 1
            cutOffAnswer()
        }
    }

    /// Resets the connection during a response. The writer may notice late, so the deadline must not fire again.
    func cutOffAnswer() {
        pace = nil
        requestDeadlineMs = .max
        socket.reset()
    }
}
