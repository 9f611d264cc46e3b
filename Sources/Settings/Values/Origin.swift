/// Parses origins of web pages (RFC 6454) in settings.
enum Origin {
    private static let defaultPorts = ["http": "80", "https": "443"]

    /// Parses a comma-separated list into origins in the form that browsers send. Returns an empty list for `none`, and
    /// nil if one is invalid.
    static func list(_ text: String) -> [String]? {
        if text == "none" { return [] }
        var origins: [String] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            guard let origin = serialized(part.drop { $0 == " " }) else { return nil }
            origins.append(origin)
        }
        return origins
    }

    /// Scheme, host and port in lower case, without the scheme's default port. `*` and `null` are rejected: they name
    /// no site.
    private static func serialized(_ text: Substring) -> String? {
        let parts = text.lowercased().split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, parts[1].hasPrefix("//"), isScheme(parts[0]) else { return nil }
        var authority = parts[1].dropFirst(2)
        if let port = defaultPorts[String(parts[0])], authority.hasSuffix(":" + port) {
            authority = authority.dropLast(port.count + 1)
        }
        return isAuthority(authority) ? "\(parts[0])://\(authority)" : nil
    }

    private static func isScheme(_ text: Substring) -> Bool {
        text.first?.isLetter == true
            && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) }
    }

    private static func isAuthority(_ text: Substring) -> Bool {
        let isBracketed = text.hasPrefix("[")
        let host = isBracketed ? text.prefix { $0 != "]" }.dropFirst() : text.prefix { $0 != ":" }
        let port = text.dropFirst(host.count + (isBracketed ? 2 : 0))
        let allowed = isBracketed ? "abcdef0123456789:." : "abcdefghijklmnopqrstuvwxyz0123456789-._"
        guard !host.isEmpty, host.allSatisfy(allowed.contains), !isBracketed || text.contains("]") else { return false }
        if port.isEmpty { return true }
        let digits = port.dropFirst()
        guard port.first == ":", digits.utf8.allSatisfy({ (48...57).contains($0) }) else { return false }
        return UInt16(digits).map { $0 > 0 } ?? false
    }
}
