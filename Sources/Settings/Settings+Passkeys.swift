import Credentials

extension Settings {
    /// The relying party of passkeys; nil if there is no domain.
    package var relyingParty: RelyingParty? {
        let site = publicSite
        guard let id = passkeyRPID ?? site.flatMap({ PasskeyUsers.domain($0.host) }) else { return nil }
        let own = site.flatMap { Self.isWithin($0.host, id) ? $0.origin : nil }
        let usual = Set(["https://\(id)"] + (own.map { [$0] } ?? [])).sorted()
        var sites = passkeyUsers.sites.isEmpty ? usual : passkeyUsers.sites
        // iOS apps send it.
        if !passkeyUsers.appleApps.isEmpty, !sites.contains("https://\(id)") { sites.append("https://\(id)") }
        return RelyingParty(id: id, origins: sites + passkeyUsers.androidApps)
    }

    /// The configured sites for which no browser allows passkeys of the domain.
    var foreignPasskeyOrigins: [String] {
        guard let id = relyingParty?.id else { return passkeyUsers.all }
        return passkeyUsers.sites.filter { !Self.isWithin(Self.host(of: $0), id) }
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
