import Console
import HTTP
import Problems

/// `/console`: the page for people. It is no part of the API, so the OpenAPI document does not have it.
enum ConsoleRoutes {
    static let path = "/console"

    /// Returns no route if the console is off.
    static func routes(isOn: Bool) -> [RouteEntry] {
        guard isOn else { return [] }
        var responses = ConsoleFiles.all(of: .user).mapValues(response)
        let index = responses.removeValue(forKey: ConsoleFiles.index)
        let parts = responses
        return [
            (.get, path, Endpoint(policy) { _ in try found(index) }),
            (.get, "\(path)/{file}", Endpoint(policy) { try found(parts[$0.parameters["file"] ?? ""]) }),
        ]
    }

    private static let policy = EndpointPolicy(.anybody, caching: .ofResponse)

    private static func found(_ response: Response?) throws(Problem) -> Response {
        guard let response else { throw Problem(.notFound) }
        return response
    }

    /// Browsers ask each time if a file has changed: a page and its scripts must be of one version.
    private static func response(_ file: ConsoleFiles.File) -> Response {
        var response = Response(
            .ok,
            fields: [
                ("Content-Type", file.mediaType), ("ETag", EntityTag.of(file.bytes)), ("Cache-Control", "no-cache"),
            ],
            content: .bytes(file.bytes)
        )
        response.isPage = true
        return response
    }
}
