import CloudSync
import HTTP
import NeuroViewsJSON

/// `/analytics/events`: events that clients report.
struct EventRoutes: Sendable {
    let events: EventService
    let schemas: Schemas

    /// The largest batch in bytes, both packed and unpacked.
    static let bodyMaxBytes = 1 << 20

    var routes: [RouteEntry] {
        let policy = EndpointPolicy(.session, body: .collected(.bytes(Self.bodyMaxBytes)), codings: .gzip)
        return [(.post, "/v2/analytics/events", Endpoint(policy, record))]
    }

    /// Answers 200 even if single events are rejected.
    private func record(_ context: RequestContext) async throws -> Response {
        let batch = try await context.read { [events, schemas] bytes in
            let body = try EventBody(bytes, schemas["analytics-events.json"])
            return try events.batch(body.items, faults: body.faults, by: schemas["analytics-event.json"])
        }
        let receipt = try await events.record(batch, for: context.caller())
        return .json(.ok, reservingBytes: 64 + receipt.refused.count * 160) { writer in
            writer.member("processed", integer: Int64(receipt.processed))
            writer.member("repeated", integer: Int64(receipt.repeated))
            writer.list("refused", receipt.refused) { refusal, writer in
                writer.member("index", integer: Int64(refusal.index))
                writer.member("pointer", string: refusal.pointer)
                writer.member("detail", string: refusal.detail)
            }
        }
    }
}
