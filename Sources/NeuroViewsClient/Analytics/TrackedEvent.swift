import NeuroViewsJSON
import NeuroViewsRules

/// Something that happened in the app, as it is stored and sent. The id and the time are kept in each attempt: by them the
/// server counts it once.
struct TrackedEvent: Equatable, Sendable {
    private static let nameMax = 100
    private static let parametersMaxBytes = 2048
    /// A body has at most 64 levels, and the parameters are below three.
    private static let levelsMax = 60

    /// A UUID in lower case.
    let id: String
    let name: String
    let category: ConsentCategory
    /// The text of a JSON object; empty without parameters.
    let parameters: [UInt8]
    /// The time by the device's clock.
    let at: Instant

    /// The reason why no server takes an event of such parts: it would only make the batch too large. Nil if it may be sent;
    /// then the server judges the rest.
    static func fault(_ name: String, _ parameters: JSONValue.Object) -> EventRefusal? {
        if !(1...nameMax).contains(name.unicodeScalars.count) {
            let start = String(String.UnicodeScalarView(name.unicodeScalars.prefix(nameMax)))
            return EventRefusal(name: start, pointer: "/name", detail: "must have 1 to \(nameMax) characters")
        }
        let json = JSON.object(parameters.exact)
        if json.isNested(deeperThan: levelsMax) || json.serialized().count > parametersMaxBytes {
            let detail = "must have at most \(parametersMaxBytes) bytes and \(levelsMax) levels"
            return EventRefusal(name: name, pointer: "/parameters", detail: detail)
        }
        return nil
    }

    /// The event in a batch.
    var text: [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("name")
        writer.string(name)
        writer.member("timestamp")
        writer.string(at.text)
        writer.member("category")
        writer.string(category.rawValue)
        writer.member("id")
        writer.string(id)
        if !parameters.isEmpty {
            writer.member("parameters")
            writer.raw(parameters)
        }
        writer.endObject()
        return writer.bytes
    }
}
