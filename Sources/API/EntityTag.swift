import CloudSync

/// Entity tags (RFC 9110, 8.8.3): an item's is its version.
enum EntityTag {
    /// `"7"`.
    static func of(version: Int) -> String { "\"\(version)\"" }

    /// One tag of a list.
    struct Listed: Equatable {
        let opaque: String
        let isWeak: Bool
    }

    /// Parses the value of If-Match or If-None-Match; nil when it is malformed, an empty list for `*`.
    static func parse(_ value: String) -> [Listed]? {
        if value == "*" { return [] }
        var rest = Substring(value)
        var tags: [Listed] = []
        while true {
            rest = rest.drop { $0 == " " || $0 == "\t" }
            let isWeak = rest.hasPrefix("W/")
            if isWeak { rest = rest.dropFirst(2) }
            guard rest.first == "\"", let end = rest.dropFirst().firstIndex(of: "\"") else { return nil }
            tags.append(Listed(opaque: String(rest[rest.index(after: rest.startIndex)..<end]), isWeak: isWeak))
            rest = rest[rest.index(after: end)...].drop { $0 == " " || $0 == "\t" }
            if rest.isEmpty { return tags }
            guard rest.first == "," else { return nil }
            rest = rest.dropFirst()
        }
    }
}

extension VersionCondition {
    /// What a list of tags says about versions. A strong comparison (If-Match) leaves weak tags out; a tag that is no
    /// version of ours names none.
    init(_ tags: [EntityTag.Listed], strong: Bool) {
        if tags.isEmpty {
            self = .any
        } else {
            self = .versions(tags.filter { !(strong && $0.isWeak) }.compactMap { Self.version($0.opaque) })
        }
    }

    private static func version(_ opaque: String) -> Int? {
        // Versions are PostgreSQL integers.
        Int32(opaque).flatMap { String($0) == opaque ? Int($0) : nil }
    }
}
