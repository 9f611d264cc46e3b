import HTTP
import Postgres

extension SettingDefinition {
    /// All settings, in the order of the help.
    static let all: [SettingDefinition] =
        places + s3 + policies + accounts + passkeys + openID + logging + database + limits + attempts + quotas + media
        + lifetimes
        + retention

    private static let places: [SettingDefinition] = [
        .address("listen", \.listen, "where clients connect; port 0 lets the kernel choose"),
        .address("admin_listen", \.adminListen, allowsOff: true, "health, readiness and metrics for operators"),
        .text(
            "public_url",
            \.publicURLs,
            allowed:
                "1 to \(publicURLsMax) URLs with commas between them, from http:// or https:// to /v2: https://example.org/v2",
            defaultText: "http://<listen>/v2, with TLS https://<listen>/v2",
            accept: publicURLs,
            "the base URLs that clients and signatures may use, the published one first; other hosts are refused"
        ),
        .text(
            "tls_cert",
            \.tlsCertificate,
            allowed: "a PEM file",
            defaultText: "none: clients connect without TLS",
            accept: path,
            "the certificate and those that lead to its root; clients then connect with TLS 1.3; SIGHUP reads it again"
        ),
        .text(
            "tls_key",
            \.tlsKey,
            allowed: "a PEM file",
            defaultText: "none",
            accept: path,
            "the private key of tls_cert, readable by the server alone"
        ),
        .text(
            "database_url",
            \.databaseURL,
            allowed: "a libpq URI (postgresql://user@host/database; in a password %40 is @, %2F is /) or "
                + "conninfo (host=… dbname=…)",
            defaultText: "none: a private PostgreSQL under the data folder",
            isSecret: true,
            accept: databaseURL,
            "the PostgreSQL to use, with the login of requests (neuroviews_app); several hosts are allowed"
        ),
        .text(
            "background_database_url",
            \.backgroundDatabaseURL,
            allowed: "as database_url",
            defaultText: "database_url, whose login is then a member of all roles",
            isSecret: true,
            accept: databaseURL,
            "the same database with the login of sweeps, jobs and logins (neuroviews_background)"
        ),
        .text(
            "owner_database_url",
            \.ownerDatabaseURL,
            allowed: "as database_url",
            defaultText: "database_url; none where background_database_url is set",
            isSecret: true,
            accept: databaseURL,
            "the same database with the owner's login (neuroviews_owner), for migrate and operators' commands; serve needs none"
        ),
        .text(
            "data",
            \.data,
            allowed: "a folder",
            defaultText: Settings().data,
            accept: path,
            "the folder of everything the server keeps; made when it is missing"
        ),
        .text(
            "secret_file",
            \.explicitSecretFile,
            allowed: "a file",
            defaultText: "systemd's credential secret.key, or else <data>/secret.key",
            accept: path,
            "the master keys, 32 bytes each with mode 0600; made when it is missing"
        ),
    ]

    private static let policies: [SettingDefinition] = [
        .choice(
            "signatures",
            \.signatures,
            "whether requests must be signed, and the lowest version; a signature that is there is always checked"
        ),
        .choice(
            "upload_announce",
            \.uploadAnnounce,
            "whether clients that can resume uploads get a 104 first; off behind nginx, which takes it for the answer"
        ),
        .text(
            "trusted_proxies",
            \.trustedProxies,
            allowed: "addresses, networks or unix, separated by commas, such as 127.0.0.1,10.0.0.0/8,unix",
            defaultText: "none",
            accept: TrustedProxies.init,
            "proxies that are believed about their clients' addresses and URLs"
        ),
        .choice(
            "forwarded_fields",
            \.forwardedFields,
            "the header fields in which trusted proxies say it; the other kind is ignored"
        ),
        .text(
            "cors_origins",
            \.corsOrigins,
            allowed: "none, or origins with commas between them, such as https://app.example.org,http://localhost:3000",
            defaultText: "none",
            accept: Origin.list,
            "the sites whose pages may use this server from a browser"
        ),
    ]

    private static let logging: [SettingDefinition] = [
        .choice(
            "log_level",
            \.logLevel,
            "info logs a line for each request, debug where its time went, warning slow requests"
        ),
        .choice("log_format", \.logFormat, "auto: text when standard error is a terminal, else a JSON object a line"),
        .integer(
            "slow_request_ms",
            \.slowRequestMs,
            0...3_600_000,
            "a request that takes longer is logged with where its time went; 0: none is"
        ),
    ]

    private static let database: [SettingDefinition] = [
        .integer(
            "event_loops",
            \.eventLoops,
            1...256,
            "threads that serve connections",
            defaultText: "one for each core"
        ),
        .integer("database_connections", \.databaseConnections, 1...100, "PostgreSQL connections of each event loop"),
        .integer(
            "database_queue_max",
            \.databaseQueueMax,
            0...1_000_000,
            "requests of each loop that wait for a connection"
        ),
        .integer("database_wait_ms", \.databaseWaitMs, 1...600_000, "how long a request waits for a connection"),
    ]

    private static let limits: [SettingDefinition] = [
        .integer("batch_body_max_bytes", \.batchBodyMaxBytes, 1024...1 << 30, "the largest body of a batch of writes"),
        .integer("header_max_bytes", \.headerMaxBytes, 1024...1 << 20, "request line and header fields together"),
        .integer("header_fields_max", \.headerFieldsMax, 10...10_000, "header fields of a request"),
        .integer("header_timeout_ms", \.headerTimeoutMs, 1...3_600_000, "the time a client has to send its header"),
        .integer(
            "body_timeout_ms",
            \.bodyTimeoutMs,
            1...86_400_000,
            "the time a client has to send a body, however fast it is"
        ),
        .integer(
            "request_timeout_ms",
            \.requestTimeoutMs,
            1...86_400_000,
            "the time from a request's first byte to its answer's last one"
        ),
        .integer("idle_timeout_ms", \.idleTimeoutMs, 1...3_600_000, "how long a connection may stay unused"),
        .integer(
            "body_min_bytes_per_second",
            \.bodyMinBytesPerSecond,
            1...1 << 30,
            "the slowest body that is read to its end"
        ),
        .integer(
            "answer_timeout_ms",
            \.answerTimeoutMs,
            1...3_600_000,
            "the time that a client may take for each 256 KiB of an answer"
        ),
        .integer(
            "tls_handshake_timeout_ms",
            \.tlsHandshakeTimeoutMs,
            1...3_600_000,
            "the time a client has to agree on TLS"
        ),
        .integer("connections_max", \.connectionsMax, 1...1_000_000, "client connections at a time"),
        .integer(
            "connections_per_address_max",
            \.connectionsPerAddressMax,
            1...1_000_000,
            "of them from one IPv4 address or one IPv6 /64, trusted proxies excepted"
        ),
        .integer(
            "pipeline_max_bytes",
            \.pipelineMaxBytes,
            1024...65_536,
            "what is received of further requests while one is being answered"
        ),
        .integer(
            "buffers_max_bytes",
            \.buffersMaxBytes,
            1 << 20...1 << 40,
            "request bodies and large answers of all connections at a time; then they get 503"
        ),
        .integer(
            "drain_timeout_ms",
            \.drainTimeoutMs,
            0...3_600_000,
            "how long requests under way have to finish when the server is stopped"
        ),
    ]

    private static let quotas: [SettingDefinition] = [
        .integer(
            "items_max",
            \.itemsMax,
            0...1 << 30,
            "configurations of each account, and recordings; 0: any number of each"
        ),
        .integer(
            "tombstones_max",
            \.tombstonesMax,
            0...1 << 30,
            "deleted configurations, or recordings, of each account, from which on it gets no new ones; 0: any number"
        ),
        .integer(
            "document_max_bytes",
            \.documentMaxBytes,
            1024...1 << 28,
            "a configuration's document, or a recording's metadata; a request has 4 KiB around it"
        ),
        .integer(
            "history_max_bytes",
            \.historyMaxBytes,
            0...1 << 50,
            "versions, conflicts and answers for Idempotency-Keys kept of an account, or of its recordings; 0: without a limit"
        ),
        .integer("recording_max_bytes", \.recordingMaxBytes, 0...1 << 44, "the file of a recording; 0: any size"),
        .integer(
            "recordings_max_bytes",
            \.recordingsMaxBytes,
            0...1 << 60,
            "the files of all recordings of an account, those still to come included; 0: without a limit"
        ),
        .integer(
            "storage_reserve_bytes",
            \.storageReserveBytes,
            0...1 << 50,
            "what uploads leave free of the volume with recordings' files, in bytes"
        ),
        .integer(
            "open_uploads_max",
            \.openUploadsMax,
            0...1 << 30,
            "uploads of an account that are not completed; 0: any number"
        ),
        .integer(
            "events_max",
            \.eventsMax,
            0...1 << 40,
            "events of an account that are kept, from which on it gets no new ones; 0: any number"
        ),
    ]

    private static let media: [SettingDefinition] = [
        .integer(
            "media_jobs",
            \.mediaJobs,
            0...64,
            "recordings' files that are verified or measured at a time; 0: none by this server"
        ),
        .address(
            "media_admin_listen",
            \.mediaAdminListen,
            allowsOff: true,
            "the admin listener of neuroviews-server media, which runs beside a server with its own"
        ),
        .choice("previews", \.previews, "whether videos get a preview that browsers play, one after the other"),
        .integer("preview_max_seconds", \.previewMaxSeconds, 1...86_400, "how much of a video its preview shows"),
        .integer("preview_cpu_max_s", \.previewCpuMaxS, 1...86_400, "processor time that a preview may take"),
        .integer("preview_max_bytes", \.previewMaxBytes, 1024...1 << 40, "the file of a preview"),
    ]

    private static let lifetimes: [SettingDefinition] = [
        .integer(
            "token_lifetime_s",
            \.tokenLifetimeS,
            1...604_800,
            "how long a token is good before it must be refreshed"
        ),
        .integer("sync_overlap_s", \.syncOverlapS, 0...31_536_000, "how far back a pull by time looks again"),
        // Nonces are kept for at least 15 minutes after their timestamp. With a larger skew, requests could be
        // replayed.
        .integer("clock_skew_s", \.clockSkewS, 1...600, "how far a signature's time may be from the server's"),
        .integer(
            "idempotency_key_lifetime_s",
            \.idempotencyKeyLifetimeS,
            60...604_800,
            "how long the answer to a request with an Idempotency-Key is given again"
        ),
        .integer(
            "hsts_max_age_s",
            \.hstsMaxAgeS,
            0...63_072_000,
            "how long browsers are to come over TLS only, once they came; 0 makes them forget"
        ),
    ]

    private static let retention: [SettingDefinition] = [
        .integer(
            "versions_max",
            \.versionsMax,
            0...1_000_000,
            "versions of a configuration whose documents are kept, the current one included; 0: all"
        ),
        .integer(
            "versions_kept_days",
            \.versionsKeptDays,
            0...36_500,
            "how long a document is kept after it was replaced or deleted; 0: for ever"
        ),
        .integer(
            "conflicts_max",
            \.conflictsMax,
            0...1_000_000,
            "documents of a configuration that lost a conflict and are kept; 0: all"
        ),
        .integer("conflicts_kept_days", \.conflictsKeptDays, 0...36_500, "how long they are kept; 0: for ever"),
        .integer(
            "analytics_retention_days",
            \.analyticsRetentionDays,
            0...36_500,
            "how long events and their counts are kept; a month of UTC goes when all of it is older; 0: for ever"
        ),
    ]

    static func path(_ text: String) -> String? {
        text.isEmpty || text.utf8.contains(0) ? nil : text
    }

    private static func databaseURL(_ text: String) -> String? {
        let isURI = text.hasPrefix("postgres://") || text.hasPrefix("postgresql://")
        return (isURI || text.contains("=")) && ConnectionString.isReadable(text) ? text : nil
    }

    private static let publicURLsMax = 16

    private static func publicURLs(_ text: String) -> [String]? {
        let urls = text.split(separator: ",", omittingEmptySubsequences: false).map {
            publicURL(String($0.drop { $0 == " " }))
        }
        return urls.count <= publicURLsMax && !urls.contains(nil) ? urls.compactMap(\.self) : nil
    }

    private static func publicURL(_ text: String) -> String? {
        let url = text.hasSuffix("/") ? String(text.dropLast()) : text
        guard let scheme = ["http://", "https://"].first(where: url.hasPrefix), url.hasSuffix("/v2") else { return nil }
        let rest = url.dropFirst(scheme.count)
        let isClean = rest.utf8.allSatisfy { (0x21...0x7e).contains($0) && !Array("?#@\"<>\\".utf8).contains($0) }
        return rest.hasPrefix("/") || !isClean ? nil : url
    }
}
