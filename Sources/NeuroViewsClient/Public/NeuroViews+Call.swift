import NeuroViewsJSON
import NeuroViewsRules

extension NeuroViews {
    /// Sends any other request of the interface, signed, and returns the JSON of the answer; `null` if it has none.
    ///
    /// `path` is the one behind the interface's version, with its query: `/account/passkeys`. A failed call is not repeated:
    /// if ``ClientError/offline(_:)``, ``ClientError/tryLater(_:seconds:)``, ``ClientError/unexpectedAnswer(_:)`` or
    /// ``ClientError/answerTooLarge(maxBytes:)`` is thrown, the server may have done it. What begins or ends this device's session is refused: it has functions of its own.
    public func call(
        _ method: String,
        _ path: String,
        _ body: JSONValue? = nil,
        ifMatch: VersionTag? = nil
    ) async throws(ClientError) -> JSONValue {
        if let reason = CallRules.objection(method, path) { throw .invalidArgument(reason) }
        var fields: [HeaderField] = []
        if let ifMatch { fields.append(HeaderField("If-Match", "\"\(ifMatch)\"")) }
        if body != nil {
            let isPatch = method == "PATCH"
            fields.append(HeaderField("Content-Type", isPatch ? "application/merge-patch+json" : "application/json"))
        }
        let bytes = body.map { JSON($0).serialized() } ?? []
        let request = SessionRequest(method, path, fields: fields, body: bytes)
        let answer =
            CallRules.isOpen(method, path)
            ? try await session.open(request) : try await session.ask(request, as: core.account?.id)
        return answer.json.map { JSONValue($0) } ?? .null
    }
}

/// The requests that an app may send by itself.
enum CallRules {
    private static let methods: Set<String> = ["GET", "POST", "PUT", "PATCH", "DELETE"]
    /// Of the paths under /auth/, those that leave this device's session and its secrets as they are.
    private static let allowed: Set<String> = ["GET /auth/sessions", "DELETE /auth/sessions", "POST /auth/confirm"]
    /// The same, of those that nobody has to be logged in for. A reset of the password ends all sessions at the server, for
    /// somebody who could not log in.
    private static let open: Set<String> = [
        "POST /auth/passkey/options", "POST /auth/email/verify", "POST /auth/password-reset",
        "POST /auth/password-reset/confirm",
    ]

    /// True if the request is sent without a session.
    static func isOpen(_ method: String, _ path: String) -> Bool { open.contains("\(method) \(path)") }

    /// The reason why a request is refused; nil if it is sent.
    static func objection(_ method: String, _ path: String) -> String? {
        guard methods.contains(method) else {
            return "\(method) is none of \(methods.sorted().joined(separator: ", "))."
        }
        let plain = path.prefix { $0 != "?" }
        let names = plain.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        guard plain.hasPrefix("/"), names.allSatisfy({ !["", ".", ".."].contains($0) }),
            path.utf8.allSatisfy({ (0x21...0x7E).contains($0) && !#"#\"#.utf8.contains($0) })
        else { return "\(path) is no path behind the interface's version, in ASCII, such as /account/passkeys." }
        let isSession = names.first?.hasEncodedLetters == true || names.first?.lowercased() == "auth"
        let call = "\(method) \(plain)"
        if (isSession && !allowed.union(open).contains(call)) || call == "DELETE /account" {
            return "\(call) begins or ends a session: NeuroViews has a function for it."
        }
        return nil
    }
}

extension Substring {
    /// A proxy might decode letters, and send the request to another path.
    fileprivate var hasEncodedLetters: Bool { contains("%") }
}
