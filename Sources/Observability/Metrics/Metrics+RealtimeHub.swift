import CloudSync

extension Metrics {
    /// The seats and hints of realtime.
    func appendHub(_ text: inout MetricsText) async {
        guard let hub = sources.realtime else { return }
        let seen = await hub.statistics()
        text.begin("neuroviews_realtime_connections", .gauge, "Sockets, and requests that wait.")
        text.sample(seen.sockets, [("kind", "socket")])
        text.sample(seen.requests, [("kind", "request")])
        text.single(
            "neuroviews_realtime_superseded_total",
            .counter,
            "States that were replaced by newer ones before a socket had taken them.",
            seen.superseded
        )
        text.begin("neuroviews_realtime_notice_seconds", .histogram, "From the hint of a new head to its message.")
        text.sample(seen.notices)
        text.begin(
            "neuroviews_realtime_bus_seconds",
            .histogram,
            "From a notification to this server's own receipt of it."
        )
        text.sample(seen.bus)
        text.single(
            "neuroviews_realtime_bus_connected",
            .gauge,
            "1 while this server hears the hints of other servers.",
            seen.isBusConnected ? 1 : 0
        )
        text.single(
            "neuroviews_realtime_repairs_total",
            .counter,
            "Changes that a periodic read found before any hint.",
            seen.repairs
        )
        text.single(
            "neuroviews_realtime_queued_bytes",
            .gauge,
            "Bytes of devices' states, and of messages that sockets have not taken yet.",
            seen.queuedBytes
        )
    }
}
