/// The scheme, host and port of a URL (RFC 6454).
package struct Origin: Hashable, Sendable {
    package let isEncrypted: Bool
    /// In lower case. An IPv6 address has its brackets.
    package let host: String
    package let port: Int

    /// Reads an absolute http or https URL. Nil for any other, and for a host that two readers might read differently: with
    /// a user's name, or with letters that are not ASCII.
    package init?(_ url: String) {
        guard let colon = url.firstIndex(of: ":"), url[colon...].hasPrefix("://") else { return nil }
        switch url[..<colon].lowercased() {
        case "https": isEncrypted = true
        case "http": isEncrypted = false
        default: return nil
        }
        let authority = url[colon...].dropFirst(3).prefix { !"/?#".contains($0) }.lowercased()
        let isAddress = authority.hasPrefix("[")
        let hostEnd =
            isAddress ? authority.firstIndex(of: "]").map(authority.index(after:)) : authority.firstIndex(of: ":")
        let name = authority[..<(hostEnd ?? authority.endIndex)]
        let allowed = isAddress ? "0123456789abcdef:.[]" : "abcdefghijklmnopqrstuvwxyz0123456789-._"
        guard !name.isEmpty, !isAddress || hostEnd != nil,
            name.unicodeScalars.allSatisfy(allowed.unicodeScalars.contains)
        else { return nil }
        host = String(name)
        let rest = authority[name.endIndex...]
        guard let port = rest.isEmpty ? (isEncrypted ? 443 : 80) : Self.port(rest) else { return nil }
        self.port = port
    }

    private static func port(_ text: Substring) -> Int? {
        let digits = text.dropFirst()
        guard text.first == ":", digits.utf8.allSatisfy({ (48...57).contains($0) }), let port = Int(digits) else {
            return nil
        }
        return (1...65535).contains(port) ? port : nil
    }

    /// True if requests stay on this device.
    package var isLoopback: Bool {
        if host == "localhost" || host == "[::1]" { return true }
        let numbers = host.split(separator: ".", omittingEmptySubsequences: false)
        return numbers.count == 4 && numbers[0] == "127" && numbers.allSatisfy { UInt8($0) != nil }
    }
}
