import HTTP

/// The media type of a body, and the field that names it in a refusal (RFC 9110, 12.5.1; RFC 5789, 3.1).
struct MediaType: Sendable {
    static let json = MediaType(name: "application/json", field: "Accept", isText: true, isAssumed: true)
    /// JSON Merge Patch (RFC 7396), the only kind of patch that this server accepts.
    static let mergePatch = MediaType(
        name: "application/merge-patch+json",
        field: "Accept-Patch",
        isText: true,
        isAssumed: false
    )
    /// URLSession's type of a body whose type the app does not set.
    private static let unset = "application/x-www-form-urlencoded"

    let name: String
    let field: String
    /// True if the type may have a charset. It must be UTF-8.
    let isText: Bool
    /// True if a body without a type, or with URLSession's own, has this type.
    let isAssumed: Bool

    /// A type that is not text.
    static func binary(_ name: String) -> MediaType {
        MediaType(name: name, field: "Accept", isText: false, isAssumed: false)
    }

    /// Throws unless the body has this media type.
    func check(_ head: RequestHead) throws(Problem) {
        let lines = head.headers.values("content-type")
        guard lines.count <= 1 else {
            throw Problem(.invalidHeader, "The request has \(lines.count) Content-Type fields: send one.")
        }
        // Almost every client writes it so.
        if lines.first == name { return }
        let type = lines.first ?? Self.unset
        let parts = type.split(separator: ";", omittingEmptySubsequences: false).map(Self.trimmed)
        guard parts.first == name || parts.first == Self.unset && mayBeAssumed(head) else {
            throw refusal("Send Content-Type: \(name).")
        }
        if isText, let charset = parts.dropFirst().compactMap(Self.charset).first(where: { $0 != "utf-8" }) {
            throw refusal("The charset is \"\(charset)\": send JSON in UTF-8.")
        }
    }

    /// Any page may make a browser send a form to this server. There are no cookies, so it has no rights here; but it
    /// could send logins and registrations from its visitors' addresses. Browsers send Origin with such a form, and ask
    /// before they send JSON.
    private func mayBeAssumed(_ head: RequestHead) -> Bool { isAssumed && head.headers.bytes(of: "origin") == nil }

    private func refusal(_ detail: String) -> Problem {
        var problem = Problem(.unsupportedMediaType, detail)
        problem.fields = [(field, name)]
        return problem
    }

    /// In lower case, without white space.
    private static func trimmed(_ part: Substring) -> String { part.lowercased().filter { $0 != " " && $0 != "\t" } }

    private static func charset(_ parameter: String) -> String? {
        guard parameter.hasPrefix("charset=") else { return nil }
        return parameter.dropFirst("charset=".count).filter { $0 != "\"" }
    }
}
