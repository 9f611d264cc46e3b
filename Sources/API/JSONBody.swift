import CloudSync
import JSON
import JSONSchema

/// The content of a request, as JSON.
enum JSONBody {
    /// What is parsed strictly and valid by `schema`. Throws `Problem` or `CloudSyncError.invalid`.
    static func value(_ bytes: [UInt8], _ schema: Schema) throws -> JSONValue {
        let value = try parsed(bytes, .requestBody)
        let violations = schema.violations(of: value)
        guard violations.isEmpty else { throw CloudSyncError.invalid(violations) }
        return value
    }

    /// A JSON Merge Patch, parsed as strictly. A document is sent one level deeper than a patch of it: what comes of the patch must be something
    /// that could have been sent.
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
