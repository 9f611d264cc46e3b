// Limits of the server, and the quotas of accounts.
extension SettingDefinition {
    static let limits: [SettingDefinition] = [
        .integer("idle_timeout_ms", \.server.idleTimeoutMs, 1...3_600_000, "the time limit for an idle connection"),
        .integer(
            "connections_max",
            \.server.connectionsMax,
            1...1_000_000,
            "client connections at a time; beyond that, idle ones give way to new ones"
        ),
        .integer(
            "connections_per_address_max",
            \.server.connectionsPerAddressMax,
            1...1_000_000,
            "the same from one IPv4 address or IPv6 /64, except from trusted proxies"
        ),
        .integer(
            "buffers_max_bytes",
            \.server.buffersMaxBytes,
            1 << 20...1 << 40,
            "request bodies and large responses of all connections at a time; beyond that, requests get 503"
        ),
        .integer(
            "writes_per_hour_max",
            \.writesPerHourMax,
            0...1_000_000_000,
            "write requests of an account in an hour, at each server; 10 of a batch count as one; 0 means unlimited"
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
    ]
}
