import HTTPTypes
import Hummingbird
import NIOCore

/// What a request is known by, with the client's address for the log.
struct PeerContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    let address: String

    init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        address = source.channel.remoteAddress?.ipAddress ?? "-"
    }
}

/// Adds the fields that the server has, and the request's id.
struct Fields: RouterMiddleware {
    private let fields: [HTTPField]

    init(_ arguments: ArraySlice<String>) {
        fields = arguments.compactMap { argument in
            let parts = argument.split(separator: "=", maxSplits: 1)
            guard parts.count == 2, let name = HTTPField.Name(String(parts[0])) else { return nil }
            return HTTPField(name: name, value: String(parts[1]))
        }
    }

    func handle(
        _ request: Request,
        context: PeerContext,
        next: (Request, PeerContext) async throws -> Response
    ) async throws -> Response {
        var response = try await next(request, context)
        for field in fields { response.headers[field.name] = field.value }
        if let name = HTTPField.Name("X-Request-Id") { response.headers[name] = context.id }
        return response
    }
}
