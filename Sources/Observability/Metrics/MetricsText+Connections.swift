import HTTP

extension MetricsText {
    /// Appends the state and the outcomes of each listener's connections.
    mutating func append(_ listeners: [(listener: String, connections: ConnectionStatistics)]) {
        begin("neuroviews_http_connections", .gauge, "Open client connections, by what they do.")
        for (listener, now) in listeners {
            sample(now.idle, [("listener", listener), ("state", "idle")])
            sample(now.open - now.idle, [("listener", listener), ("state", "active")])
        }
        begin("neuroviews_http_input_buffer_bytes", .gauge, "Bytes that were received and not looked at yet.")
        for (listener, now) in listeners { sample(now.inputBytes, [("listener", listener)]) }
        begin("neuroviews_http_reserved_bytes", .gauge, "Memory of bodies and large answers, of buffers_max_bytes.")
        for (listener, now) in listeners { sample(now.reservedBytes, [("listener", listener)]) }
        begin("neuroviews_http_connections_accepted_total", .counter, "Connections that were taken.")
        for (listener, now) in listeners { sample(now.accepted, [("listener", listener)]) }
        begin("neuroviews_http_connections_refused_total", .counter, "Connections that were refused, by the limit.")
        for (listener, now) in listeners {
            sample(now.refusedByTotal, [("listener", listener), ("limit", "connections_max")])
            sample(now.refusedByAddress, [("listener", listener), ("limit", "connections_per_address_max")])
        }
        begin(
            "neuroviews_http_aborted_total",
            .counter,
            "Connections and requests that the server ended."
        )
        for (listener, now) in listeners {
            for (reason, count) in now.aborted { sample(count, [("listener", listener), ("reason", reason)]) }
        }
    }
}

extension ConnectionStatistics {
    fileprivate var aborted: [(reason: String, count: Int)] {
        [
            ("malformed", malformed), ("tls", insecure), ("idle_timeout", idleTimeouts),
            ("header_timeout", headerTimeouts), ("body_timeout", bodyTimeouts), ("request_timeout", requestTimeouts),
            ("write_timeout", writeTimeouts), ("buffers_max_bytes", overBudget), ("evicted", evicted),
            ("idle_evicted", idleEvicted),
        ]
    }
}
