import CloudSync
import HTTP

extension ConfigurationRoutes {
    func delta(_ context: RequestContext) async throws -> Response {
        try await context.delta(of: configurations.changes) { delta, hasLimit in
            DeltaAnswer(delta, hasLimit: hasLimit, name: "configurations")
        }
    }
}
