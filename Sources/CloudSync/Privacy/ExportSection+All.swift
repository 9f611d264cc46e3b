extension ExportSection {
    /// The members of an export, in their order. A test compares their tables with the catalogue.
    package static let all = [
        account, consents, consentHistory, devices, sessions, configurations, conflicts, recordings, uploads,
        analyticsEvents, eventsByDevice, eventsByName, eventsByMonth, eventNames, securityEvents, knownAddresses,
        authenticatorApps, passkeys, identities, idempotencyKeys, collections,
    ]

    /// Tables of accounts that are not exported, each with the reason.
    package static let omitted = [
        "job_turns": "milliseconds that the server has worked on recordings' files, to be fair to other accounts",
        "jobs": "what the server has still to do with recordings' files: their state says it",
        "nonces": "random texts of signed requests, for less than an hour",
        "passkey_challenges": "digests of what passkeys have signed, for an hour",
        "realtime_commands": "commands between connected devices, for minutes",
        "realtime_devices": "the states of connected devices, which send them again",
        "recovery_codes": "digests of codes that the person has",
        "second_factor_challenges": "logins that wait for their second step, for minutes",
    ]

    /// UTC, with all digits. Years before 1 become year 1: no reader can parse them.
    private static func time(_ column: String) -> String {
        "to_char(CASE WHEN \(column) < '0001-01-01' THEN '0001-01-01' ELSE \(column) END, 'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"')"
    }

    private static let tag = "t.version || '-' || encode(substr(t.chain, 1, 6), 'hex')"

    private static let account = ExportSection(
        "account",
        of: "users",
        by: [.uuid("id")],
        owner: "id",
        columns: "t.id, t.email, t.created_at",
        isSingle: true,
        [("id", "t.id"), ("email", "t.email"), ("created_at", time("t.created_at"))]
    )

    private static let consents = ExportSection(
        "consents",
        of: "consents",
        by: [.text("category::text")],
        [
            ("category", "t.category"), ("granted", "t.granted"), ("version", "t.version"),
            ("changed_at", time("t.changed_at")),
        ]
    )

    private static let consentHistory = ExportSection(
        "consent_history",
        of: "consent_changes",
        by: [.text("category::text"), .time("changed_at")],
        [
            ("category", "t.category"), ("granted", "t.granted"), ("version", "t.version"),
            ("changed_at", time("t.changed_at")),
        ]
    )

    private static let devices = ExportSection(
        "devices",
        of: "devices",
        by: [.text("id")],
        [
            ("id", "t.id"), ("name", "t.name"), ("model", "t.model"), ("app_version", "t.app_version"),
            ("first_seen_at", time("t.first_seen_at")), ("last_seen_at", time("t.last_seen_at")),
            ("logged_in_at", time("t.logged_in_at")),
        ]
    )

    private static let sessions = ExportSection(
        "sessions",
        of: "sessions",
        by: [.uuid("id")],
        [
            ("id", "t.id"), ("device_id", "t.device_id"), ("address", "host(t.address)"),
            ("token_made_at", time("t.token_made_at")), ("token_made_from", "host(t.token_made_from)"),
            ("created_at", time("t.created_at")),
            ("last_used_at", time("t.last_used_at")), ("proven_at", time("t.proven_at")),
            ("ended_at", time("t.ended_at")),
        ]
    )

    private static let knownAddresses = ExportSection(
        "known_addresses",
        of: "known_addresses",
        by: [.text("address::text")],
        [("address", "host(t.address)"), ("last_login_at", time("t.last_login_at"))]
    )

    /// The secrets are not exported.
    private static let authenticatorApps = ExportSection(
        "authenticator_apps",
        of: "totp_secrets",
        by: [.uuid("user_id")],
        columns: "t.user_id, t.created_at, t.confirmed_at",
        [("created_at", time("t.created_at")), ("confirmed_at", time("t.confirmed_at"))]
    )

    private static let passkeys = ExportSection(
        "passkeys",
        of: "passkeys",
        by: [.uuid("id")],
        [
            ("id", "t.id"), ("name", "t.name"), ("created_at", time("t.created_at")),
            ("last_used_at", time("t.last_used_at")),
            ("credential_id", "translate(encode(t.credential_id, 'base64'), E'\\n', '')"),
            ("public_key", "translate(encode(t.public_key, 'base64'), E'\\n', '')"), ("counter", "t.counter"),
            ("domain", "t.domain"),
        ]
    )

    private static let identities = ExportSection(
        "identities",
        of: "identities",
        by: [.uuid("id")],
        [
            ("id", "t.id"), ("issuer", "t.issuer"), ("subject", "t.subject"), ("email", "t.email"),
            ("created_at", time("t.created_at")),
        ]
    )

    private static let collections = ExportSection(
        "collections",
        of: "sync_heads",
        by: [.text("collection::text")],
        [
            ("collection", "t.collection"), ("changes", "t.seq"), ("changed_at", time("t.changed_at")),
            ("items", "t.items"),
            ("tombstones", "t.tombstones"), ("history_bytes", "t.history_bytes"),
        ]
    )
}

// MARK: Items

extension ExportSection {
    private static let versionMembers = [
        ("version", tag), ("changed_at", time("t.changed_at")), ("edited_at", time("t.edited_at")),
        ("device_id", "CASE WHEN t.by_device THEN t.author END"),
        ("session_id", "CASE WHEN NOT t.by_device THEN t.author END"), ("deleted", "t.deleted"),
        ("document", "t.document::json"),
    ]

    /// The current state of an item.
    private static func item(_ table: String, _ more: [(name: String, value: String)] = []) -> String {
        let members = [
            ("id", "t.spelled_id"), ("version", tag), ("deleted", "t.deleted"), ("document", "t.document::json"),
        ]
        return
            "(SELECT \(object(members + more)) FROM (SELECT i.* FROM \(table) i WHERE i.user_id = t.user_id AND i.id = t.id) t)"
    }

    private static let configurations = ExportSection(
        "configurations",
        of: "configuration_versions",
        "configurations",
        by: [.uuid("id"), .int("version")],
        bytes: "coalesce(octet_length(t.document), 0)",
        item: Item(id: "id", json: item("configurations", [("preset", "t.preset")])),
        versionMembers
    )

    private static let conflicts = ExportSection(
        "conflicts",
        of: "configuration_conflicts",
        by: [.uuid("id"), .bytes("digest")],
        bytes: "octet_length(t.document)",
        [
            ("id", "t.id"), ("digest", "encode(t.digest, 'hex')"), ("base_version", "t.base_version"),
            ("edited_at", time("t.edited_at")), ("received_at", time("t.received_at")), ("device_id", "t.device_id"),
            ("document", "t.document::json"),
        ]
    )

    private static let file = """
        LEFT JOIN LATERAL (
            SELECT o.*, o.encryption IS NOT NULL AS is_encrypted, (
                SELECT r.document::json ->> 'filename' FROM recordings r WHERE r.user_id = o.user_id AND r.id = o.id) AS filename
            FROM recording_files o WHERE o.user_id = t.user_id AND o.id = t.id OFFSET 0
        ) f ON true
        """

    private static let recordings = ExportSection(
        "recordings",
        of: "recording_versions",
        "recordings",
        by: [.uuid("id"), .int("version")],
        bytes: "coalesce(octet_length(t.document), 0)",
        item: Item(id: "id", json: item("recordings"), file: file),
        versionMembers
    )

    /// Uploads, and the files of completed recordings.
    private static let uploads = ExportSection(
        "uploads",
        of: "recording_files",
        by: [.uuid("id")],
        bytes: "coalesce(octet_length(t.encryption::text), 0)",
        [
            ("id", "t.spelled_id"), ("state", "t.state"), ("failure", "t.failure"), ("size", "t.size"),
            ("content_type", "t.content_type"), ("sha256", "encode(t.sha256, 'base64')"),
            ("verified_sha256", "encode(t.verified_sha256, 'base64')"), ("verified_at", time("t.verified_at")),
            ("encryption", "t.encryption"), ("device_id", "t.device_id"), ("configuration_id", "t.configuration_id"),
            ("configuration_version", "t.configuration_version"), ("upload", "t.upload"),
            ("upload_offset", "t.upload_offset"), ("part_bytes", "t.part_bytes"), ("is_sent_again", "t.is_sent_again"),
            ("asked_at", time("t.asked_at")), ("expires_at", time("t.expires_at")),
            ("uploaded_at", time("t.uploaded_at")),
            ("recorded_at", time("t.recorded_at")), ("video_format", "t.video_format"), ("tags", "t.tags"),
            ("resolution", "t.resolution"), ("stated_ms", "t.stated_ms"), ("probe", "t.probe"),
            ("thumbnail_bytes", "t.thumbnail_bytes"), ("has_preview", "t.has_preview"),
        ]
    )

    private static let idempotencyKeys = ExportSection(
        "idempotency_keys",
        of: "idempotency_keys",
        by: [.text("key")],
        bytes: "t.bytes",
        [
            ("key", "t.key"), ("collection", "t.collection"), ("expires_at", time("t.expires_at")),
            ("answer", "t.answer"),
        ]
    )
}

// MARK: Events

extension ExportSection {
    private static let analyticsEvents = ExportSection(
        "analytics_events",
        of: "analytics_events",
        by: [.text("category"), .text("device_id"), .time("occurred_at"), .uuid("id")],
        bytes: "octet_length(t.parameters::text)",
        [
            ("id", "t.id"), ("category", "t.category"), ("name", "t.name"), ("timestamp", time("t.occurred_at")),
            ("received_at", time("t.received_at")), ("device_id", "nullif(t.device_id, '')"),
            ("parameters", "t.parameters"),
        ]
    )

    private static let eventsByDevice = counts("events_by_device", of: "analytics_device_days", by: "device_id")
    private static let eventsByName = counts("events_by_name", of: "analytics_name_days", by: "name")

    /// A UTC day's quarter hours, and their event counts.
    private static func counts(_ name: String, of table: String, by column: String) -> ExportSection {
        ExportSection(
            name,
            of: table,
            by: [.day("day"), .text(column), .text("category")],
            bytes: "1000",
            [
                ("day", "t.day"), (column, "t.\(column)"), ("category", "t.category"), ("events", "t.events"),
                ("quarters", "t.quarters"), ("counts", "t.counts"),
            ]
        )
    }

    private static let eventsByMonth = ExportSection(
        "events_by_month",
        of: "analytics_months",
        by: [.day("month"), .text("category")],
        [("month", "t.month"), ("category", "t.category"), ("events", "t.events")]
    )

    private static let eventNames = ExportSection(
        "event_names",
        of: "analytics_names",
        by: [.day("month"), .text("name"), .text("category")],
        [("month", "t.month"), ("name", "t.name"), ("category", "t.category")]
    )

    private static let securityEvents = ExportSection(
        "security_events",
        of: "account_events",
        by: [.text("kind"), .time("at"), .uuid("id")],
        [
            ("id", "t.id"), ("at", time("t.at")), ("kind", "t.kind"), ("count", "t.count"),
            ("session_id", "t.session_id"),
            ("device_id", "t.device_id"), ("address", "host(t.address)"),
        ]
    )
}
