import NeuroViewsJSON

/// A refusal (RFC 9457), with the status of its answer.
package struct Problem: Sendable, Equatable {
    /// The members, `status` always among them.
    package let members: JSONObject

    /// Takes the members, and the status of the answer.
    package init(status: Int64, _ members: JSONObject = JSONObject()) {
        var all = members
        all.set("status", to: .number(JSONNumber(status)))
        self.members = all
    }

    /// Reads a stored one; nil if it is none.
    package init?(json: JSONValue) {
        guard let members = json.object, let status = members["status"]?.number?.int64 else { return nil }
        self.init(status: status, members)
    }

    /// For storing.
    package var json: JSONValue { .object(members) }

    /// The status of the answer.
    package var status: Int64 { members["status"]?.number?.int64 ?? 0 }

    /// The last part of the type, such as `invalid-document`; empty if the answer was not the server's.
    package var code: String {
        members["type"]?.string?.split(separator: "/").last.map { String($0) } ?? ""
    }

    /// The short text.
    package var title: String? { members["title"]?.string }

    /// The text that names the remedy.
    package var detail: String? { members["detail"]?.string }
}

/// The server's refusal of an edit: the item waits for an hour, or for a reason to try again.
package struct Refusal: Sendable, Equatable {
    private static let hourS: Int64 = 3600

    /// The reason.
    package var problem: Problem
    /// The time of the refusal.
    package var at: Instant

    /// Takes both.
    package init(problem: Problem, at: Instant) { (self.problem, self.at) = (problem, at) }

    /// True if it is time to try again.
    package func isOver(at now: Instant) -> Bool { !at.isWithin(seconds: Self.hourS, before: now) }
}
