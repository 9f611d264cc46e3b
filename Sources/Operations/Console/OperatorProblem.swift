import HTTP
import Machine
import Net
import NeuroViewsJSON
import Postgres
import PrivateCluster

/// An error of the operators' page (RFC 9457), with the remedy in its detail.
struct OperatorProblem: Error, Equatable {
    let status: Int
    let code: String
    let title: String
    let detail: String

    init(_ status: Int, _ code: String, _ title: String, _ detail: String) {
        (self.status, self.code, self.title, self.detail) = (status, code, title, detail)
    }

    /// The problem for any error of a request.
    init(_ error: any Error) {
        switch error {
        case let problem as OperatorProblem: self = problem
        case let error as DatabaseError: self = .databaseUnavailable(error.sentence)
        case let error as PrivateClusterProblem: self = .databaseUnavailable(error.description)
        case is BlockingPool.Full: self = .unavailable("Too many requests wait: try again.")
        default: self = .unavailable("\(error)")
        }
    }

    private static func unavailable(_ detail: String) -> OperatorProblem {
        OperatorProblem(503, "unavailable", "Not available", detail)
    }

    private static func databaseUnavailable(_ detail: String) -> OperatorProblem {
        OperatorProblem(503, "database-unavailable", "The database is unavailable", detail)
    }

    static let notFound = OperatorProblem(404, "not-found", "Not found", "There is nothing at this path.")
    static let wrongCode = OperatorProblem(
        401,
        "wrong-code",
        "Wrong code",
        "It works once, within 5 minutes: start neuroviews-server console again, and open its address."
    )
    static let unauthorized = OperatorProblem(
        401,
        "unauthorized",
        "Not logged in",
        "The token is missing or of another process: start neuroviews-server console, and open its address."
    )
    static let readOnly = OperatorProblem(
        403,
        "read-only",
        "Read only",
        "This console changes nothing: start neuroviews-server console without --read-only."
    )

    static func unknownAccount(_ email: String) -> OperatorProblem {
        OperatorProblem(404, "unknown-account", "Unknown account", "There is no account \(email): check the spelling.")
    }

    static func badRequest(_ detail: String) -> OperatorProblem {
        OperatorProblem(400, "bad-request", "Bad request", detail)
    }

    var response: Response {
        .object(status, type: "application/problem+json") { writer in
            writer.member("type", string: "about:blank")
            writer.member("code", string: code)
            writer.member("title", string: title)
            writer.member("status", integer: Int64(status))
            writer.member("detail", string: detail)
        }
    }
}

extension Response {
    /// A response with a JSON object. `members` writes its members.
    static func object(
        _ status: Int = 200,
        type: String = "application/json",
        _ members: (inout JSONWriter) -> Void
    ) -> Response {
        var writer = JSONWriter()
        writer.beginObject()
        members(&writer)
        writer.endObject()
        return Response(Status(code: status), fields: [("Content-Type", type)], content: .bytes(writer.bytes))
    }
}
