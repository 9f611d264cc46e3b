// Limits of the server, and the quotas of accounts.
extension SettingDefinition {
    static let limits: [SettingDefinition] = [
        .integer("batch_body_max_bytes", \.batchBodyMaxBytes, 1024...1 << 30, "the largest body of a batch of writes"),
        .integer("header_max_bytes", \.headerMaxBytes, 1024...1 << 20, "request line and header fields together"),
        .integer("header_fields_max", \.headerFieldsMax, 10...10_000, "header fields of a request"),
        .integer("header_timeout_ms", \.headerTimeoutMs, 1...3_600_000, "the time limit for a request's header"),
        .integer(
            "body_timeout_ms",
            \.bodyTimeoutMs,
            1...86_400_000,
            "the time limit for a body, at any speed"
        ),
        .integer(
            "request_timeout_ms",
            \.requestTimeoutMs,
            1...86_400_000,
            "the time limit from a request's first byte to its response's last byte"
        ),
        .integer("idle_timeout_ms", \.idleTimeoutMs, 1...3_600_000, "the time limit for an idle connection"),
        .integer(
            "body_min_bytes_per_second",
            \.bodyMinBytesPerSecond,
            1...1 << 30,
            "the lowest speed of a body; slower ones are aborted"
        ),
        .integer(
            "answer_timeout_ms",
            \.answerTimeoutMs,
            1...3_600_000,
            "the time limit for a client to receive each 256 KiB of a response"
        ),
        .integer(
            "tls_handshake_timeout_ms",
            \.tlsHandshakeTimeoutMs,
            1...3_600_000,
            "the time limit for a TLS handshake"
        ),
        .integer("connections_max", \.connectionsMax, 1...1_000_000, "client connections at a time"),
        .integer(
            "connections_per_address_max",
            \.connectionsPerAddressMax,
            1...1_000_000,
            "the same from one IPv4 address or IPv6 /64, except from trusted proxies"
        ),
        .integer(
            "pipeline_max_bytes",
            \.pipelineMaxBytes,
            1024...65_536,
            "received bytes of further requests while one is being processed"
        ),
        .integer(
            "buffers_max_bytes",
            \.buffersMaxBytes,
            1 << 20...1 << 40,
            "request bodies and large responses of all connections at a time; beyond that, requests get 503"
        ),
        .integer(
            "drain_timeout_ms",
            \.drainTimeoutMs,
            0...3_600_000,
            "the time for running requests to finish when the server stops"
        ),
    ]

    static let quotas: [SettingDefinition] = [
        .integer(
            "items_max",
            \.itemsMax,
            0...1 << 30,
            "configurations of each account, and as many recordings; 0 means unlimited"
        ),
        .integer(
            "tombstones_max",
            \.tombstonesMax,
            0...1 << 30,
            "deleted configurations, or recordings, of an account, beyond which new ones are rejected; 0 means unlimited"
        ),
        .integer(
            "document_max_bytes",
            \.documentMaxBytes,
            1024...1 << 28,
            "a configuration's document, or a recording's metadata; a request may have 4 KiB more"
        ),
        .integer(
            "history_max_bytes",
            \.historyMaxBytes,
            0...1 << 50,
            "stored versions, conflicts and Idempotency-Key responses of an account; the same for recordings; 0 means unlimited"
        ),
        .integer(
            "recording_max_bytes",
            \.recordingMaxBytes,
            0...1 << 44,
            "the largest file of a recording; 0 means unlimited"
        ),
        .integer(
            "recordings_max_bytes",
            \.recordingsMaxBytes,
            0...1 << 60,
            "the files of all recordings of an account, with reserved uploads; 0 means unlimited"
        ),
        .integer(
            "storage_reserve_bytes",
            \.storageReserveBytes,
            0...1 << 50,
            "free space that uploads leave on the volume of recordings' files"
        ),
        .integer(
            "open_uploads_max",
            \.openUploadsMax,
            0...1 << 30,
            "incomplete uploads of an account; 0 means unlimited"
        ),
        .integer(
            "events_max",
            \.eventsMax,
            0...1 << 40,
            "stored events of an account, beyond which new ones are rejected; 0 means unlimited"
        ),
    ]
}
