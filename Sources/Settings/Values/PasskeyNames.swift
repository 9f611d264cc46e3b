import Credentials

/// Parses the names of sites and apps in the passkey settings.
enum PasskeyNames {
    private static let androidPrefix = "android:apk-key-hash:"

    /// A domain in lower case. Passkeys do not work with IP addresses; `localhost` is for tests.
    static func domain(_ text: String) -> String? {
        let name = text.lowercased()
        let labels = name.split(separator: ".", omittingEmptySubsequences: false)
        let isName = labels.allSatisfy { label in
            (1...63).contains(label.utf8.count) && !label.hasPrefix("-") && !label.hasSuffix("-")
                && label.utf8.allSatisfy { isLetterOrDigit($0) || $0 == UInt8(ascii: "-") }
        }
        let isAddress = labels.last?.utf8.allSatisfy { (48...57).contains($0) } ?? true
        return isName && !isAddress && name.utf8.count <= 253 && (labels.count > 1 || name == "localhost") ? name : nil
    }

    static func origins(_ text: String) -> [String]? {
        list(text) { part in
            guard part.hasPrefix(androidPrefix) else { return Origin.list(part)?.first }
            let hash = part.dropFirst(androidPrefix.count)
            return hash.utf8.count == 43 && hash.utf8.allSatisfy { isLetterOrDigit($0) || "-_".utf8.contains($0) }
                ? part : nil
        }
    }

    static func apps(_ text: String) -> [String]? {
        list(text) { part in
            let (team, bundle) = (part.prefix(10), part.dropFirst(10))
            let isTeam = team.utf8.count == 10 && team.utf8.allSatisfy { isLetterOrDigit($0) }
            let isBundle = bundle.utf8.allSatisfy { isLetterOrDigit($0) || "-.".utf8.contains($0) }
            return isTeam && isBundle && bundle.hasPrefix(".") && bundle.utf8.count > 1 ? part : nil
        }
    }

    private static func list(_ text: String, _ accept: (String) -> String?) -> [String]? {
        var values: [String] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            guard let value = accept(String(part.drop { $0 == " " })) else { return nil }
            values.append(value)
        }
        return values
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
    }
}

extension Settings {
    /// The relying party of passkeys; nil if there is no domain.
    package var relyingParty: RelyingParty? {
        let site = publicSite
        guard let id = passkeyRPID ?? site.flatMap({ PasskeyNames.domain($0.host) }) else { return nil }
        if !passkeyOrigins.isEmpty { return RelyingParty(id: id, origins: passkeyOrigins) }
        let own = site.flatMap { Self.isWithin($0.host, id) ? $0.origin : nil }
        return RelyingParty(id: id, origins: Array(Set(["https://\(id)"] + (own.map { [$0] } ?? []))).sorted())
    }

    /// The configured sites for which no browser allows passkeys of the domain.
    var foreignPasskeyOrigins: [String] {
        guard let id = relyingParty?.id else { return passkeyOrigins }
        return passkeyOrigins.filter { $0.contains("://") && !Self.isWithin(Self.host(of: $0), id) }
    }

    private var publicSite: (origin: String, host: String)? {
        guard let url = explicitPublicURL, let scheme = url.firstRange(of: "://") else { return nil }
        let authority = url[scheme.upperBound...].prefix { $0 != "/" }
        guard let origin = Origin.list(String(url[..<scheme.upperBound] + authority))?.first else { return nil }
        return (origin, Self.host(of: origin))
    }

    private static func host(of origin: String) -> String {
        let authority = origin.split(separator: "/").last ?? ""
        return String(authority.hasPrefix("[") ? authority : authority.prefix { $0 != ":" })
    }

    private static func isWithin(_ host: String, _ domain: String) -> Bool {
        host == domain || host.hasSuffix("." + domain)
    }
}
