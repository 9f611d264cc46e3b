import CloudSync
import CommandWords
import Glibc
import Machine

/// The three sources of settings, and the rules that combine them into one `Settings`.
package struct SettingSources {
    package typealias Entry = SettingEntry

    /// The flags of the command line, by setting name.
    package var flags: [Entry]
    let environment: [String: String]
    /// Returns true if every user of this machine can read a file.
    let isPublic: (String) -> Bool
    let readFile: (String) throws -> String

    package init(
        flags: [Entry] = [],
        environment: [String: String] = [:],
        isPublic: @escaping (String) -> Bool,
        readFile: @escaping (String) throws -> String
    ) {
        self.flags = flags
        self.environment = environment
        self.isPublic = isPublic
        self.readFile = readFile
    }

    /// Variables that are not settings: the settings file, that of Package.swift, and those for tests.
    private static let otherNames: Set<String> = ["NEUROVIEWS_SETTINGS", "NEUROVIEWS_CLIENT_ONLY", "NEUROVIEWS_SHARED"]
    /// Those of tests, and of the command `neuroviews`.
    private static let otherPrefixes = ["NEUROVIEWS_TEST_", "NEUROVIEWS_CLI_"]

    /// Flags win over the environment, the environment over the file, the file over the defaults.
    package func settings(file: String?) throws(UsageError) -> Settings {
        var settings = Settings()
        settings.credentialsFolder = environment["CREDENTIALS_DIRECTORY"]
        if let path = file ?? environment["NEUROVIEWS_SETTINGS"] ?? credential("settings") {
            try apply(try fileEntries(path), to: &settings, status: .configuration)
        }
        try apply(environmentEntries(), to: &settings, status: .configuration)
        try refusePasswords(flags)
        try apply(flags, to: &settings, status: .usage)
        try refuseCollision(settings)
        try refuseHalfTLS(settings)
        try refuseHalfDatabase(settings)
        try refuseFewConnections(settings)
        try refuseHalfS3(settings)
        try refuseHalfMail(settings)
        try refuseForeignOrigins(settings)
        try refusePreviewsInS3(settings)
        return settings
    }

    /// A file that systemd passed (LoadCredential=); nil if there is none of that name.
    private func credential(_ name: String) -> String? {
        guard let path = environment["CREDENTIALS_DIRECTORY"].map({ "\($0)/\(name)" }) else { return nil }
        do {
            _ = try readFile(path)
        } catch {
            if (error as? FileError)?.code == ENOENT { return nil }
        }
        return path
    }

    private func fileEntries(_ path: String) throws(UsageError) -> [Entry] {
        let text: String
        do {
            text = try readFile(path)
        } catch {
            throw .configuration("The settings file can't be read: \(error).")
        }
        let entries = try SettingsFile.parse(text, path: path, prefix: SettingDefinition.environmentPrefix)
        if isPublic(path), let entry = entries.first(where: Self.hasPassword) {
            throw .configuration(
                "\(entry.source) has a password, and everybody on this machine can read \(path): chmod 640 \(path)."
            )
        }
        return entries
    }

    private static func hasPassword(_ entry: Entry) -> Bool {
        SettingDefinition.all.contains { $0.name == entry.name && $0.hasPassword(entry.value) }
    }

    private func environmentEntries() -> [Entry] {
        environment.keys.sorted().compactMap { key in
            guard key.hasPrefix(SettingDefinition.environmentPrefix), !Self.otherNames.contains(key),
                !Self.otherPrefixes.contains(where: key.hasPrefix)
            else { return nil }
            let name = key.dropFirst(SettingDefinition.environmentPrefix.count).lowercased()
            return Entry(name: name, value: environment[key] ?? "", source: key)
        }
    }

    private func refusePasswords(_ flags: [Entry]) throws(UsageError) {
        for flag in flags {
            let definition = SettingDefinition.all.first { $0.name == flag.name }
            guard let sentence = definition?.refusalOfPassword(in: flag.value, flag: flag.source) else { continue }
            throw .usage(sentence)
        }
    }

    private func apply(
        _ entries: [Entry],
        to settings: inout Settings,
        status: ExitStatus
    ) throws(UsageError) {
        for entry in entries {
            guard let definition = SettingDefinition.all.first(where: { $0.name == entry.name }) else {
                throw UsageError(sentence: UnknownSetting.sentence(entry), status: status)
            }
            guard definition.apply(entry.value, &settings) else {
                throw UsageError(sentence: definition.refusal(of: entry.value, source: entry.source), status: status)
            }
        }
    }

    private func refuseHalfTLS(_ settings: Settings) throws(UsageError) {
        if (settings.tlsCertificate == nil) != (settings.tlsKey == nil) {
            let (set, missing) = settings.tlsKey == nil ? ("CERT", "KEY") : ("KEY", "CERT")
            throw .configuration("NEUROVIEWS_TLS_\(set) needs NEUROVIEWS_TLS_\(missing): set both, or neither.")
        }
        guard settings.tlsFiles != nil, let url = settings.publicURLs.first(where: { $0.hasPrefix("http://") })
        else { return }
        throw .configuration(
            "NEUROVIEWS_PUBLIC_URL is \"\(url)\", but with NEUROVIEWS_TLS_CERT clients connect with TLS: it must begin "
                + "with https://."
        )
    }

    private func refuseHalfDatabase(_ settings: Settings) throws(UsageError) {
        let more = [("BACKGROUND", settings.backgroundDatabaseURL), ("OWNER", settings.ownerDatabaseURL)]
        guard settings.databaseURL == nil, let set = more.first(where: { $0.1 != nil }) else { return }
        throw .configuration(
            "NEUROVIEWS_\(set.0)_DATABASE_URL needs NEUROVIEWS_DATABASE_URL, with the login of requests."
        )
    }

    private func refuseFewConnections(_ settings: Settings) throws(UsageError) {
        let (max, loops) = (settings.databaseConnectionsMax, settings.eventLoops)
        let least = DatabaseShare.leastConnections(loops: loops)
        guard max != 0, max < least else { return }
        throw .configuration(
            "NEUROVIEWS_DATABASE_CONNECTIONS_MAX is \(max), and \(loops) event loops need \(least): raise it, or lower "
                + "NEUROVIEWS_EVENT_LOOPS."
        )
    }

    private func refuseHalfS3(_ settings: Settings) throws(UsageError) {
        let needed = [
            ("ENDPOINT", settings.s3Endpoint != nil), ("BUCKET", settings.s3Bucket != nil),
            ("ACCESS_KEY", settings.s3AccessKey != nil), ("SECRET_FILE", settings.s3SecretFile != nil),
        ]
        let more = [("PUBLIC_ENDPOINT", settings.s3PublicEndpoint != nil), ("CA_FILE", settings.s3CAFile != nil)]
        guard let set = (needed + more).first(where: \.1), let missing = needed.first(where: { !$0.1 }) else { return }
        throw .configuration(
            "NEUROVIEWS_S3_\(set.0) needs NEUROVIEWS_S3_\(missing.0): set the endpoint, the bucket, the access key and its "
                + "secret's file, or none of them."
        )
    }

    private func refuseHalfMail(_ settings: Settings) throws(UsageError) {
        guard settings.sendmail != .log else { return try refuseMailsInPublicLog(settings) }
        guard settings.sendmail != Settings().sendmail, settings.mailFrom == nil else { return }
        throw .configuration("NEUROVIEWS_SENDMAIL needs NEUROVIEWS_MAIL_FROM: without a sender no mail is sent.")
    }

    /// Who reads the log could take over every account.
    private func refuseMailsInPublicLog(_ settings: Settings) throws(UsageError) {
        guard !settings.listen.isLocal || settings.publicURLs.contains(where: { !Settings.isLocal(url: $0) }) else {
            return
        }
        throw .configuration(
            "NEUROVIEWS_SENDMAIL=log writes links that open accounts into the log, so NEUROVIEWS_LISTEN and NEUROVIEWS_PUBLIC_URL "
                + "must be addresses of this machine alone, such as 127.0.0.1:8080."
        )
    }

    /// Browsers use passkeys only for sites within their domain.
    private func refuseForeignOrigins(_ settings: Settings) throws(UsageError) {
        let foreign = settings.foreignPasskeyOrigins
        guard !foreign.isEmpty else { return }
        let domain = settings.relyingParty?.id
        throw .configuration(
            domain.map {
                "NEUROVIEWS_PASSKEY_ORIGINS has sites that are not within \($0): \(foreign.joined(separator: ", "))."
            }
                ?? "NEUROVIEWS_PASSKEY_ORIGINS needs NEUROVIEWS_PASSKEY_RP_ID, or a NEUROVIEWS_PUBLIC_URL with a domain name."
        )
    }

    private func refusePreviewsInS3(_ settings: Settings) throws(UsageError) {
        guard settings.previews == .on, settings.s3Endpoint != nil else { return }
        throw .configuration(
            "NEUROVIEWS_PREVIEWS=on needs recordings' files on disk: previews are not made from files in S3."
        )
    }

    private func refuseCollision(_ settings: Settings) throws(UsageError) {
        guard let what = settings.listen.collision(with: settings.adminListen) else { return }
        throw .configuration(
            "NEUROVIEWS_LISTEN (\(settings.listen)) and NEUROVIEWS_ADMIN_LISTEN (\(settings.adminListen)) "
                + "can't share a \(what): give one of them another \(what)."
        )
    }
}
