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
