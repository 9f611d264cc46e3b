import CloudSync
import JSONSchema
import NeuroViewsJSON

/// JSON content of requests.
enum JSONBody {
    /// Parses a body strictly and validates it by `schema`, after `normalize`. Throws `Problem` or
    /// `CloudSyncError.invalid`.
    static func value(
        _ bytes: [UInt8],
        _ schema: Schema,
        normalize: (JSONValue) -> JSONValue = { $0 }
    ) throws -> JSONValue {
        let value = normalize(try parsed(bytes, .requestBody))
        let violations = schema.violations(of: value)
        guard violations.isEmpty else { throw CloudSyncError.invalid(violations) }
        return value
    }

    /// Parses a JSON Merge Patch, equally strictly. A document is sent one level deeper than its patch. So the result
    /// of a patch never exceeds the depth of a sent document.
    static func mergePatch(_ bytes: [UInt8]) throws(Problem) -> MergePatch {
        var policy = JSONParser.Policy.requestBody
        policy.maxDepth -= 1
        return MergePatch(try parsed(bytes, policy), bytes)
    }

    private static func parsed(_ bytes: [UInt8], _ policy: JSONParser.Policy) throws(Problem) -> JSONValue {
        do throws(JSONError) {
            return try JSONParser.parse(bytes, policy: policy)
        } catch {
            throw Problem(error)
        }
    }
}
