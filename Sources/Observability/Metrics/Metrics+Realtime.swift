import CloudSync

extension Metrics {
    /// Nothing for a process that serves no sockets.
    func appendRealtime(_ text: inout MetricsText) async {
        guard sources.realtime != nil else { return }
        let counts = events.realtime
        text.begin(
            "neuroviews_realtime_closed_total",
            .counter,
            "Closed sockets, by close code; 1006: without a close frame, other: a code of the client's own."
        )
        for (code, count) in counts.closed { text.sample(count, [("code", code)]) }
        text.begin(
            "neuroviews_realtime_messages_total",
            .counter,
            "Messages of sockets; dropped: too fast, invalid: against their schema."
        )
        for (direction, type, count) in counts.messages {
            text.sample(count, [("direction", direction), ("type", type)])
        }
        text.begin(
            "neuroviews_realtime_commands_total",
            .counter,
            "Ended commands, by outcome, at the server that ended them."
        )
        for (outcome, count) in counts.outcomes { text.sample(count, [("outcome", outcome)]) }
        await appendHub(&text)
    }
}
