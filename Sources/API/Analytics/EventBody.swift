import CloudSync
import JSONSchema
import NeuroViewsJSON

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
            return
        }
        // The body is JSON if both are: each event, and the text with `null` in place of each event.
        let places = Self.places(in: bytes)
        let envelope = Self.envelope(of: places, in: bytes)
        let value = try Self.parsed(envelope, of: bytes)
        try Self.requireNamesOnce(envelope)
        items = try Self.items(of: value, schema)
        try judge(places, in: bytes)
    }

    private static func items(of value: JSONValue, _ schema: Schema) throws -> [JSONValue] {
        let violations = schema.violations(of: value)
        guard violations.isEmpty else { throw CloudSyncError.invalid(violations) }
        guard let items = value["events"]?.array else { throw Problem(.invalidJSON) }
        return items
    }

    /// The places of the events. Empty if there is no list of them.
    private static func places(in bytes: [UInt8]) -> [Range<Int>] {
        guard let list = JSONText.range(ofMember: "events", in: bytes[...]) else { return [] }
        return JSONText.ranges(ofElementsIn: bytes[list])
    }

    private static func envelope(of places: [Range<Int>], in bytes: [UInt8]) -> [UInt8] {
        var text: [UInt8] = []
        var end = 0
        for place in places {
            text += bytes[end..<place.lowerBound]
            text += "null".utf8
            end = place.upperBound
        }
        return text + bytes[end...]
    }

    private static func parsed(_ envelope: [UInt8], of bytes: [UInt8]) throws(Problem) -> JSONValue {
        do throws(JSONError) {
            return try JSONParser.parse(envelope, policy: anyJSON)
        } catch {
            throw refusal(of: bytes, error)
        }
    }

    /// The refusal of a body that is not JSON. It names the place in the whole, not that in a part.
    private static func refusal(of bytes: [UInt8], _ reason: JSONError) -> Problem {
        do throws(JSONError) {
            _ = try JSONParser.parse(bytes, policy: anyJSON)
            return Problem(reason)
        } catch {
            return Problem(error)
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

    /// Reads the events one by one. Together they have no more values than another body.
    private mutating func judge(_ places: [Range<Int>], in bytes: [UInt8]) throws(Problem) {
        var policy = Self.event
        for (index, place) in zip(items.indices, places) {
            do throws(JSONError) {
                items[index] = try JSONParser.parse(bytes[place], policy: policy)
                policy.maxValues -= items[index].valueCount
            } catch {
                try Self.requireJSON(place, in: bytes, maxValues: policy.maxValues)
                faults[index] = error
                items[index] = .string(String(decoding: bytes[place], as: UTF8.self))
            }
        }
    }

    /// Throws for an event that is not JSON. The parser can't read on behind a huge exponent or 1,000 levels; the
    /// event is refused in any case.
    private static func requireJSON(_ place: Range<Int>, in bytes: [UInt8], maxValues: Int) throws(Problem) {
        var policy = anyJSON
        policy.maxValues = maxValues
        do throws(JSONError) {
            _ = try JSONParser.parse(bytes[place], policy: policy)
        } catch {
            switch error.reason {
            case .exponentTooLarge, .tooDeep: return
            default: throw refusal(of: bytes, error)
            }
        }
    }
}
