import NeuroViewsJSON

/// A header field of a request or an answer.
package struct HeaderField: Sendable, Equatable {
    static let json = HeaderField("Content-Type", "application/json")
    static let mergePatch = HeaderField("Content-Type", "application/merge-patch+json")

    /// The name, in any case.
    package var name: String
    /// The value, without space around it.
    package var value: String

    /// Takes both.
    package init(_ name: String, _ value: String) { (self.name, self.value) = (name, value) }
}

/// A complete HTTP answer, of whomever.
package struct Answer: Sendable {
    private static let retryAfterS: ClosedRange<Int64> = 1...3600
    /// No document is nested deeper than 64. Functions on values recurse, and threads of apps have small stacks.
    private static let policy = {
        var policy = JSONParser.Policy.rfc8259
        policy.maxDepth = 128
        return policy
    }()

    /// The status.
    package let status: Int64
    /// The header fields.
    package let fields: [HeaderField]
    /// The body, if it is JSON.
    package let json: JSONValue?
    /// True if the body has no bytes.
    package let isEmpty: Bool

    /// Takes a complete answer: a body that was cut is none.
    package init(status: Int64, fields: [HeaderField], body: [UInt8]) {
        (self.status, self.fields, isEmpty) = (status, fields, body.isEmpty)
        json = body.isEmpty ? nil : try? JSONParser.parse(body, policy: Self.policy)
    }

    /// Stands for the answer to a write that is given up: its result stays unknown.
    package static let givenUp = Answer(status: 500, fields: [], body: [])

    /// The value of the first field of that name, which is written in lower case.
    package func field(_ name: String) -> String? { fields.first { $0.name.lowercased() == name }?.value }

    /// True for 200 and 201.
    package var isSuccess: Bool { status == 200 || status == 201 }

    /// The text between the quotes of the ETag, which a proxy that compresses may have made weak.
    package var tag: String? {
        let parts = (field("etag") ?? "").split(separator: "\"", maxSplits: 2, omittingEmptySubsequences: false)
        return parts.count == 3 ? Tag.checked(String(parts[1])) : nil
    }

    /// The newest change of the account, in each answer to a write.
    package var syncHead: String? { Tag.checked(field("sync-head")) }

    /// The problem; of an answer that is none, only the status.
    package var problem: Problem { Problem(status: status, isProblem ? json?.object ?? JSONObject() : JSONObject()) }

    /// True for a refusal by the server.
    package var isProblem: Bool {
        let type = field("content-type")?.prefix { $0 != ";" && $0 != " " }.lowercased()
        return type == "application/problem+json" && json?["type"]?.string?.contains("/problems/") == true
    }

    /// True if the answer says what happened: it is the server's.
    package var isCertain: Bool { status < 400 || isProblem }

    /// The Retry-After of the server's own answer, digits only, within its bounds.
    package var retryAfterSeconds: Int64? {
        guard isProblem, let text = field("retry-after"), !text.isEmpty,
            text.utf8.allSatisfy({ (48...57).contains($0) })
        else { return nil }
        let seconds = Int64(text) ?? Self.retryAfterS.upperBound
        return min(max(seconds, Self.retryAfterS.lowerBound), Self.retryAfterS.upperBound)
    }
}
