import CloudSync
import HTTP
import NeuroViewsCrypto

/// Entity tags (RFC 9110, 8.8.3). An item has the tag of its version.
enum EntityTag {
    /// `"7-9f86d081884c"`.
    static func of(_ version: VersionTag) -> String { "\"\(version.text)\"" }

    private static let digestBytes = 12

    /// The tag of content without a version, computed from the content.
    static func of(_ content: [UInt8]) -> String {
        "\"\(Base64.url.encode(Array(SHA256.hash(content).prefix(digestBytes))))\""
    }

    /// One tag of a list.
    struct Listed: Equatable {
        let opaque: String
        let isWeak: Bool
    }

    /// Parses the value of If-Match or If-None-Match. Returns nil when it is malformed, and an empty list for `*`.
    /// Empty elements are ignored (RFC 9110, 5.6.1).
    static func parse(_ value: String) -> [Listed]? {
        if value == "*" { return [] }
        var rest = Substring(value)
        var tags: [Listed] = []
        while true {
            rest = rest.drop { $0 == " " || $0 == "\t" || $0 == "," }
            if rest.isEmpty { return tags.isEmpty ? nil : tags }
            let isWeak = rest.hasPrefix("W/")
            if isWeak { rest = rest.dropFirst(2) }
            guard rest.first == "\"", let end = rest.dropFirst().firstIndex(of: "\"") else { return nil }
            tags.append(Listed(opaque: String(rest[rest.index(after: rest.startIndex)..<end]), isWeak: isWeak))
            rest = rest[rest.index(after: end)...].drop { $0 == " " || $0 == "\t" }
            guard rest.isEmpty || rest.first == "," else { return nil }
        }
    }

    /// The tags of a header field, over all its lines; nil without it. Throws `Problem`.
    static func listed(_ name: String, in headers: Headers) throws(Problem) -> [Listed]? {
        let values = headers.values(name)
        guard !values.isEmpty else { return nil }
        guard let tags = parse(values.joined(separator: ", ")) else {
            throw Problem(.invalidHeader, "\(name) must be * or quoted tags such as \"7-9f86d081884c\".")
        }
        return tags
    }

    /// Returns true if the list has the tag of the current state. Only `*` matches a state without a tag (nil).
    static func names(_ listed: [Listed], _ tag: String?, strong: Bool) -> Bool {
        listed.isEmpty || listed.contains { "\"\($0.opaque)\"" == tag && !(strong && $0.isWeak) }
    }
}

extension VersionCondition {
    /// The condition of a list of tags. A version's tag names a state, not bytes. So a tag that a compressing proxy has
    /// made weak names the same version, also in If-Match; by RFC 9110, 13.1.1, it would match nothing. A tag that is
    /// no version's matches none, and neither does a bare number.
    init(_ tags: [EntityTag.Listed]) {
        self = tags.isEmpty ? .any : .versions(tags.compactMap { VersionTag($0.opaque) })
    }

    /// The condition in a member of a JSON document: `*`, or one tag, bare or as in a header field. Any other text
    /// matches no version.
    init(member text: String) {
        let listed = EntityTag.parse(text) ?? [EntityTag.Listed(opaque: text, isWeak: false)]
        self = listed.count > 1 ? .versions([]) : VersionCondition(listed)
    }
}
