import NeuroViewsJSON
import NeuroViewsRules

/// What follows from an answer to a batch of events (docs/client.md, "Events").
enum EventOutcome: Equatable {
    /// The batch goes, and the app may log the refusals. Events of the categories are not collected until the person agrees.
    case dropped([EventRefusal], without: Set<ConsentCategory>)
    /// The batch stays, and is not sent again on the same day.
    case full
    /// The batch is repeated after a pause.
    case repeated

    /// Judges an answer of the server's after which the session has nothing to mend.
    init(_ answer: Answer, to batch: EventBatch) {
        let problem = answer.problem
        switch (answer.status, problem.code) {
        case (200, _): self = Self.receipt(answer.json, batch) ?? .repeated
        case (403, "quota-exceeded"): self = .full
        case (403, "consent-required"):
            self = .dropped(Self.all(batch, problem), without: Set(batch.events.map(\.category)))
        case (400, _), (422, _):
            let each = (problem.members["errors"]?.array ?? []).compactMap { Refused($0, batch) }
            let refusals = each.isEmpty ? Self.all(batch, problem) : each.map(\.refusal)
            self = .dropped(refusals, without: Self.withoutConsent(each))
        default: self = .repeated
        }
    }

    /// Reads a receipt; nil if it is not as the OpenAPI document has it.
    private static func receipt(_ json: JSON?, _ batch: EventBatch) -> EventOutcome? {
        guard let json, json["processed"]?.number?.int64 != nil, json["repeated"]?.number?.int64 != nil,
            let refused = json.all("refused", { Refused($0, batch) })
        else { return nil }
        return .dropped(refused.map(\.refusal), without: withoutConsent(refused))
    }

    private static func all(_ batch: EventBatch, _ problem: NeuroViewsRules.Problem) -> [EventRefusal] {
        let detail = problem.detail ?? problem.title ?? problem.code
        return batch.events.map { EventRefusal(name: $0.name, pointer: nil, detail: detail) }
    }

    private static func withoutConsent(_ refused: [Refused]) -> Set<ConsentCategory> {
        Set(refused.filter { $0.refusal.pointer == "/category" }.map(\.event.category))
    }
}

/// An event that the server names in a refusal.
private struct Refused {
    let event: TrackedEvent
    let refusal: EventRefusal

    /// Reads an entry, whose pointer begins with `/events/` and the number of the event; nil if it names none.
    init?(_ json: JSON, _ batch: EventBatch) {
        guard let text = json["pointer"]?.string, let detail = json["detail"]?.string,
            let pointer = JSONPointer(text), pointer.tokens.first == "events",
            let index = pointer.tokens.dropFirst().first.flatMap({ Int($0) }), batch.events.indices.contains(index)
        else { return nil }
        event = batch.events[index]
        let inner = pointer.tokens.dropFirst(2).reduce(JSONPointer()) { $0.appending(member: $1) }
        refusal = EventRefusal(name: event.name, pointer: inner.description, detail: detail)
    }
}
