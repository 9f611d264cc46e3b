import NeuroViewsJSON
import NeuroViewsRules

/// A refusal by the server (RFC 9457). Tell problems apart by their code, and show their detail: it names the remedy.
public struct Problem: Hashable, Sendable {
    /// A wrong member of a body, or a wrong parameter.
    public struct Violation: Hashable, Sendable {
        /// The JSON Pointer (RFC 6901) of the member.
        public let pointer: String
        /// The fault of the member, and its rule.
        public let detail: String
    }

    /// A challenge is as secret as the password that it stands for.
    private static let secretMembers: Set<String> = ["challenge"]
    private static let violationsShownMax = 20
    private let members: JSONObject
    /// The status of the answer, 400 to 599.
    public let status: Int
    /// The last part of the problem's type, such as `invalid-document`. Empty if the answer was not the server's.
    public let code: String
    /// The kind of problem.
    public var title: String { self["title"]?.string ?? "Refused with status \(status)" }
    /// The fault of this request and the remedy, for people.
    public var detail: String { self["detail"]?.string ?? "" }

    init(_ problem: NeuroViewsRules.Problem) {
        members = JSONObject(problem.members.members.filter { !Self.secretMembers.contains($0.name) })
        status = Int(clamping: problem.status)
        code = problem.code
    }

    /// The rules' problem, for storing.
    var rules: NeuroViewsRules.Problem { NeuroViewsRules.Problem(status: Int64(status), members) }

    /// Another member, such as `quota` and `limit` of `quota-exceeded`.
    public subscript(member: String) -> JSONValue? { members[member].map { JSONValue($0) } }

    /// The wrong members of the request, at most 1,000.
    public var violations: [Violation] {
        (members["errors"]?.array ?? []).compactMap { entry in
            entry["pointer"]?.string.map { Violation(pointer: $0, detail: entry["detail"]?.string ?? "") }
        }
    }
}

extension Problem: CustomStringConvertible {
    /// The title and the detail.
    public var description: String { detail.isEmpty ? title + "." : "\(title): \(detail)" }

    /// The description with the first violations that it does not name.
    package var fullDescription: String {
        let others = violations.filter { !isNamed($0) }.prefix(Self.violationsShownMax)
        return description + others.map { " \($0.pointer) \($0.detail)." }.joined()
    }

    /// True if the detail has the violation. The server writes parameters of a query without the slash.
    private func isNamed(_ violation: Violation) -> Bool {
        let pointer = violation.pointer
        let places = pointer.isEmpty ? ["The body"] : [pointer, String(pointer.dropFirst())]
        return places.contains { " \(detail)".contains(" \($0) \(violation.detail)") }
    }
}
