import CloudSync
import HTTP

/// What clients get while the server waits for its database: it is alive, and everything else has to be repeated.
package struct WaitingApplication: Sendable {
    private let publicURL: String
    private let crossOrigin: CrossOrigin
    private let identifiers = RequestIdentifier()

    /// `corsOrigins` are the sites whose pages may read the answers.
    package init(publicURL: String, corsOrigins: [String]) {
        self.publicURL = publicURL
        crossOrigin = CrossOrigin(corsOrigins)
    }

    /// What every answer has.
    package var fixedFields: FieldBlock { SecurityFields.all }

    /// Answers one request.
    @Sendable
    package func respond(to request: Request) async -> Response {
        let head = request.head
        let isProbe =
            [.get, .head].contains(head.method)
            && ServiceRoutes.healthPaths.contains { $0.utf8.elementsEqual(head.pathBytes) }
        return finished(isProbe ? ServiceRoutes.healthy : response(Problem(Self.unavailable), head), head)
    }

    /// Answers where there is no request.
    @Sendable
    package func refuse(_ reason: Server.RefusalReason, _ request: Request?) -> Response {
        finished(response(Problem(reason), request?.head), request?.head)
    }

    private static let unavailable = CloudSyncError.databaseUnavailable(reason: "it has not come yet")

    private func response(_ problem: Problem, _ head: RequestHead?) -> Response {
        problem.response(base: publicURL, instance: head.map(identifiers.id(of:)) ?? identifiers.next())
    }

    private func finished(_ response: Response, _ head: RequestHead?) -> Response {
        var response = response
        response.fields.append([("Cache-Control", "no-store")])
        crossOrigin.append(to: &response.fields, head)
        return response
    }
}
