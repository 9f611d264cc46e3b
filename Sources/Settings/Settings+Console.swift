extension Settings {
    /// The target of links in mails; nil: mails have a code to copy. The console is one wherever its address is known.
    package var accountURL: String? { explicitAccountURL ?? explicitPublicURL.flatMap(consoleURL) }

    /// The origins that browsers send for the console's page, one for each public URL; none if it is off.
    package var consoleOrigins: [String] {
        let urls = publicURLs.isEmpty ? [publicURL(listeningOn: listen)].compactMap { $0 } : publicURLs
        return urls.compactMap(consoleURL).flatMap { url -> [String] in
            // Scheme and authority, which the first three slashes surround.
            let parts = url.split(separator: "/", maxSplits: 2).prefix(2)
            return Origin.list(parts.joined(separator: "//")) ?? []
        }
    }

    /// The console of a server with this public URL; nil if it is off.
    private func consoleURL(_ publicURL: String) -> String? {
        console == .on ? "\(publicURL.dropLast("/v2".count))/console" : nil
    }
}
