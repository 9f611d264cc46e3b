import CloudSync
import JSON
import JSONSchema

/// The body of a batch of events. Single events may break the rules of strict JSON: each is judged by itself.
struct EventBody {
    /// The events. For one that can't be read, its text.
    private(set) var items: [JSONValue]
    /// The faults of those, by their indexes.
    private(set) var faults: [Int: JSONError] = [:]

    /// Takes JSON of any form, as long as it is JSON. Only the size of the whole is limited.
    private static let anyJSON: JSONParser.Policy = {
        var policy = JSONParser.Policy.rfc8259
        policy.maxValues = JSONParser.Policy.requestBody.maxValues
        return policy
    }()
    /// Takes an event with the rules of other bodies. An event is two levels deep in its body.
    private static let event: JSONParser.Policy = {
        var policy = JSONParser.Policy.requestBody
        policy.maxDepth -= 2
        return policy
    }()
    /// Finds names that occur twice beside the events.
    private static let eachNameOnce: JSONParser.Policy = {
        var policy = EventBody.anyJSON
        policy.refusesDuplicateNames = true
        return policy
    }()

    /// Reads a body; `schema` is that of a batch. Throws `Problem` for text that is not JSON, and
    /// `CloudSyncError.invalid`.
    init(_ bytes: [UInt8], _ schema: Schema) throws {
        if let value = try? JSONParser.parse(bytes, policy: .requestBody) {
            items = try Self.items(of: value, schema)
        } else {
            items = try Self.items(of: Self.parsed(bytes), schema)
            try judgeEach(bytes)
        }
    }

    private static func items(of value: JSONValue, _ schema: Schema) throws -> [JSONValue] {
        let violations = schema.violations(of: value)
        guard violations.isEmpty else { throw CloudSyncError.invalid(violations) }
        guard let items = value["events"]?.array else { throw Problem(.invalidJSON) }
        return items
    }

    private static func parsed(_ bytes: [UInt8]) throws(Problem) -> JSONValue {
        do throws(JSONError) {
            return try JSONParser.parse(bytes, policy: anyJSON)
        } catch {
            throw Problem(error)
        }
    }

    /// Reads the events of a JSON text one by one.
    private mutating func judgeEach(_ bytes: [UInt8]) throws {
        guard let place = JSONText.range(ofMember: "events", in: bytes[...]) else { throw Problem(.invalidJSON) }
        var envelope = Array(bytes[..<place.lowerBound])
        envelope += Array("[]".utf8)
        envelope += bytes[place.upperBound...]
        try Self.requireNamesOnce(envelope)
        for (index, range) in zip(items.indices, JSONText.ranges(ofElementsIn: bytes[place])) {
            do throws(JSONError) {
                items[index] = try JSONParser.parse(bytes[range], policy: Self.event)
            } catch {
                faults[index] = error
                items[index] = .string(String(decoding: bytes[range], as: UTF8.self))
            }
        }
    }

    /// With `events` twice, there would be two batches.
    private static func requireNamesOnce(_ envelope: [UInt8]) throws(CloudSyncError) {
        do throws(JSONError) {
            _ = try JSONParser.parse(envelope, policy: eachNameOnce)
        } catch {
            let pointer = error.pointer.description
            throw .invalid([Violation(pointer: pointer, keyword: "json", detail: "must be there once")])
        }
    }
}
