import CloudSync
import HTTP
import JSON

/// `/analytics`: usage figures of an account.
struct UsageRoutes: Sendable {
    /// The number of steps of a funnel.
    private static let steps = 2...8
    let usage: UsageService

    var routes: [RouteEntry] {
        [
            (.get, "/v2/analytics/usage", Endpoint(.session, figures)),
            (.get, "/v2/analytics/retention", Endpoint(.session, retention)),
            (.get, "/v2/analytics/funnel", Endpoint(.session, funnel)),
        ]
    }

    private func figures(_ context: RequestContext) async throws -> Response {
        let found = try await usage.usage(context.days(), zone: context.zone(), for: context.caller())
        var response: Response =
            AcceptedTypes(context.head.headers).prefersCSV
            ? .tagged("text/csv; charset=utf-8; header=present", UsageCSV.text(found))
            : .tagged("application/json", UsageJSON.text(found))
        response.fields.append("Vary", "Accept")
        return response
    }

    private func retention(_ context: RequestContext) async throws -> Response {
        let weeks = try await usage.retention(context.days(), zone: context.zone(), for: context.caller())
        var writer = JSONWriter(reservingBytes: 64 + weeks.count * 128)
        writer.beginObject()
        writer.member("retention")
        writer.beginArray()
        for week in weeks { Self.write(week, to: &writer) }
        writer.endArray()
        writer.endObject()
        return .tagged("application/json", writer.bytes)
    }

    private static func write(_ week: RetentionWeek, to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("week", string: week.week)
        writer.member("devices", integer: Int64(week.devices))
        writer.member("returning")
        writer.beginArray()
        for count in week.returning { writer.integer(Int64(count)) }
        writer.endArray()
        writer.endObject()
    }

    private func funnel(_ context: RequestContext) async throws -> Response {
        let steps = try await usage.funnel(
            context.eventNames(Self.steps),
            context.days(),
            zone: context.zone(),
            for: context.caller()
        )
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("funnel")
        writer.beginObject()
        writer.member("steps")
        writer.beginArray()
        for step in steps {
            writer.beginObject()
            writer.member("name", string: step.name)
            writer.member("sessions", integer: Int64(step.sessions))
            writer.endObject()
        }
        writer.endArray()
        writer.endObject()
        writer.endObject()
        return .tagged("application/json", writer.bytes)
    }
}

extension Response {
    /// Content whose ETag is computed from the content. `Preconditions` turns it into a 304.
    static func tagged(_ contentType: String, _ content: [UInt8]) -> Response {
        Response(
            .ok,
            fields: [("Content-Type", contentType), ("ETag", EntityTag.of(content))],
            content: .bytes(content)
        )
    }
}
