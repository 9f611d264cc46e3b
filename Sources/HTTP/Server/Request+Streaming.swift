import Net

extension Request {
    /// Replaces the total time limits of this request: the client must send its body and read its response
    /// at this rate. A slow body gets 408, a slow reader is reset. A handler that neither reads nor writes
    /// for `requestTimeoutMs` still gets 503.
    public func limitByRate(_ rate: MinimumRate) { body.connection.limitByRate(rate) }

    /// Sends an interim response (1xx) before the final one. Returns false for HTTP/1.0, which has none (RFC 9110,
    /// 15.2). Throws `SocketFailure`, `.closed` after the handler has returned. Traps for other statuses, and for 100
    /// and 101, which the server sends itself.
    @discardableResult
    public func sendInterim(_ status: Status, fields: FieldBlock = []) async throws(SocketFailure) -> Bool {
        precondition((102..<200).contains(status.code))
        guard head.minorVersion > 0 else { return false }
        var bytes: [UInt8] = []
        let encoder = ResponseEncoder(answering: head)
        _ = encoder.append(ResponseHead(status: status, fields: fields), framing: .none, date: [], to: &bytes)
        try await body.connection.sendInterim(bytes)
        return true
    }
}
