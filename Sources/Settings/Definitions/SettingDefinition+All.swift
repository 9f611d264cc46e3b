import HTTP
import Postgres

extension SettingDefinition {
    /// All settings, in the order of the help.
    package static let all: [SettingDefinition] =
        places + s3 + policies + accounts + passkeys + openID + logging + database + limits + quotas + media + retention
        + ofTests

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
            "the base URLs that clients and signatures may use, the published one first; other hosts are rejected"
        ),
        .text(
            "tls_cert",
            \.tlsCertificate,
            allowed: "a PEM file",
            defaultText: "none: clients connect without TLS",
            accept: path,
            "the certificate and its intermediates; clients then connect with TLS 1.3; SIGHUP reads it again"
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
            "the folder of all data of the server; created when it is missing"
        ),
        .text(
            "secret_file",
            \.explicitSecretFile,
            allowed: "a file",
            defaultText: "systemd's credential secret.key, or else <data>/secret.key",
            accept: path,
            "the master keys, 32 bytes each with mode 0600; created when it is missing"
        ),
    ]

    private static let policies: [SettingDefinition] = [
        .choice(
            "signatures",
            \.signatures,
            "if requests must be signed, and the lowest version; a sent signature is always checked"
        ),
        .choice(
            "upload_announce",
            \.uploadAnnounce,
            "if clients that can resume uploads get a 104 first; use off behind nginx, which takes it for the final response"
        ),
        .choice(
            "realtime",
            \.realtime,
            "if devices may open WebSockets for notices, status and remote control; off: their paths are 404"
        ),
        .choice("console", \.console, "if people get a web page at /console, beside /v2"),
        .text(
            "trusted_proxies",
            \.server.trustedProxies,
            allowed: "addresses, networks, unix or forwarded, with commas between them, such as 10.0.0.0/8,unix",
            defaultText: "none",
            accept: TrustedProxies.init,
            "proxies that report client addresses and URLs: in X-Forwarded-*, or in Forwarded if that word is there"
        ),
        .text(
            "cors_origins",
            \.corsOrigins,
            allowed: "none, or origins with commas between them, such as https://app.example.org,http://localhost:3000",
            defaultText: "none",
            accept: Origin.list,
            "the sites whose pages may use this server from a browser"
        ),
        .integer(
            "hsts_max_age_s",
            \.hstsMaxAgeS,
            0...63_072_000,
            "how long browsers use only TLS after a response (HSTS); 0 ends it"
        ),
    ]

    private static let logging: [SettingDefinition] = [
        .choice(
            "log_level",
            \.logLevel,
            "info logs a line for each request, debug adds its times, warning logs slow requests"
        ),
        .choice("log_format", \.logFormat, "auto: text when standard error is a terminal, else a JSON object a line"),
    ]

    private static let database: [SettingDefinition] = [
        .integer(
            "event_loops",
            \.eventLoops,
            1...256,
            "threads that serve connections",
            defaultText: "one for each core"
        ),
        .integer(
            "database_connections_max",
            \.databaseConnectionsMax,
            0...10_000,
            "PostgreSQL connections in all, 4 for each event loop and 4 at least; 0: 13 for each event loop and 4"
        ),
    ]

    private static let media: [SettingDefinition] = [
        .integer(
            "media_jobs",
            \.mediaJobs,
            0...64,
            "recordings' files that are measured at a time; one account gets all but one; 0: this server looks at no files"
        ),
        .choice("previews", \.previews, "if videos get a preview for browsers, one after the other"),
        .choice(
            "unsandboxed_media",
            \.unsandboxedMedia,
            "where ffmpeg's sandbox fails: refuse makes no thumbnails; accept-risk lets hostile files do all the server can"
        ),
    ]

    private static let retention: [SettingDefinition] = [
        .integer(
            "versions_max",
            \.versionsMax,
            0...1_000_000,
            "kept documents of a configuration, the current one included, and as many that lost a conflict; 0 means unlimited"
        ),
        .integer(
            "versions_kept_days",
            \.versionsKeptDays,
            0...36_500,
            "how long a document is kept after its replacement or deletion, or after it lost; 0 means unlimited"
        ),
        .integer(
            "analytics_retention_days",
            \.analyticsRetentionDays,
            0...36_500,
            "how long events and their counts are kept; they are deleted by whole months in UTC; 0 means unlimited"
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
