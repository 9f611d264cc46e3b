import NeuroViewsJSON

/// What the server's own answer to a request has.
package struct Expectation: Sendable, Equatable {
    /// The body of a 200 or 201.
    package enum Body: Sendable, Equatable {
        /// A page of a pull.
        case page
        /// A result for each item.
        case batch(ids: [String])
        /// The confirmation of a write, with strings of these names, and an ETag.
        case receipt([String])
        /// A configuration.
        case document
        /// An object with strings of these names.
        case strings([String])
        /// Any JSON, with any 2xx; nothing with 204.
        case json
    }

    /// The body.
    package var body: Body
    /// True if the request has `If-None-Match`, so that a 304 may answer it.
    package var isConditional: Bool

    /// Takes both.
    package init(_ body: Body, isConditional: Bool = false) { (self.body, self.isConditional) = (body, isConditional) }

    /// A batch of these items.
    package static func batch(ids: [String]) -> Expectation { Expectation(.batch(ids: ids)) }

    /// What the OpenAPI document says of the request; the path is the one below the interface's version.
    package init(method: String, path: String, isConditional: Bool = false) {
        let names = path.prefix { $0 != "?" }.split(separator: "/")
        let isItem = names.first == "configurations" && names.count == 2
        let isVersion = names.first == "configurations" && names.count == 4 && names[2] == "versions"
        switch (method, names.joined(separator: "/")) {
        case ("GET", "configurations"): body = .page
        case ("POST", "configurations"): body = .receipt(["id", "created_at"])
        case ("PUT", _) where isItem, ("PATCH", _) where isItem: body = .receipt(["updated_at"])
        case ("DELETE", _) where isItem: body = .receipt(["deleted_at"])
        case ("GET", _) where isItem || isVersion: body = .document
        case ("POST", "auth/login"): body = .strings(["token", "signing_key"])
        case ("POST", "auth/refresh"): body = .strings(["token"])
        default: body = .json
        }
        self.isConditional = isConditional
    }

    /// True if the answer has all that it needs.
    func isMet(by answer: Answer) -> Bool {
        if body == .json { return answer.json != nil || answer.status == 204 && answer.isEmpty }
        guard answer.isSuccess, let json = answer.json, json.object != nil else { return false }
        switch body {
        case .page: return Page(json) != nil
        case .batch(let ids):
            guard json["outcome"]?.string != nil, let results = json["results"]?.array else { return false }
            return PendingRequest.outcomes(results, of: ids) != nil
        case .receipt(let names): return Self.has(names, json) && Receipt(tag: answer.tag, json) != nil
        case .document: return Self.has(["id"], json) && answer.tag != nil
        case .strings(let names): return Self.has(names, json)
        case .json: return true
        }
    }

    private static func has(_ names: [String], _ json: JSONValue) -> Bool {
        names.allSatisfy { json[$0]?.string != nil }
    }
}
