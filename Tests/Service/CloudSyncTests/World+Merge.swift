import CloudSync
import JSONSchema
import NeuroViewsJSON
import TestSupport

/// An item that two devices edit, merge and patch.
extension World {
    /// Creates an item with that base in version 1 and their edit in version 2. Returns the two devices.
    func mergeItem(base: String = #""a":1,"b":1"#, theirs: String = #""a":2,"b":1"#) async throws -> [Caller] {
        let callers = try await newAccount(devices: 2)
        _ = try await servers[0].create(.merging(base, second: 0), for: callers[0]).get()
        let named = try await ifMatch(1, callers[0])
        _ = try await servers[0].update(WriteRule.id, .merging(theirs, second: 10), named, for: callers[0]).get()
        return callers
    }

    /// Sends an edit of version 1 with permission to merge. Nil if it was stored unmerged.
    func merge(
        _ document: ConfigurationDocument,
        for caller: Caller,
        on server: ConfigurationService? = nil,
        _ rules: DocumentRules? = .anything
    ) async throws -> DerivedConfiguration? {
        guard let rules else { throw TestSupportError("no rules") }
        let conditions = try await ifMatch(1, caller)
        let result = try await (server ?? servers[0]).merging.update(
            WriteRule.id,
            document,
            conditions,
            by: rules,
            for: caller
        )
        if case .merged(let made) = try result.get() { return made }
        return nil
    }

    func patch(
        _ patch: String,
        _ conditions: WriteConditions = WriteConditions(),
        for caller: Caller,
        on server: Int = 0
    ) async throws -> DerivedConfiguration {
        guard let rules = DocumentRules.anything else { throw TestSupportError("no rules") }
        let sent = try MergePatch(text: patch)
        return try await servers[server].merging.patch(WriteRule.id, sent, conditions, by: rules, for: caller).get()
    }
}

extension MergePatch {
    init(text: String) throws {
        let bytes = Array(text.utf8)
        self.init(try JSONParser.parse(bytes, policy: .requestBody), bytes)
    }
}

extension ConfigurationDocument {
    /// The item with these members and edit time.
    static func merging(_ members: String, second: Int) throws -> ConfigurationDocument {
        let time = Timestamp(seconds: 1_700_000_000 + second).text
        let bytes = Array(#"{"id":"\#(WriteRule.id)",\#(members),"modified_at":"\#(time)"}"#.utf8)
        let value = try JSONParser.parse(bytes, policy: .requestBody)
        guard let document = ConfigurationDocument(text: bytes[...], value: value) else {
            throw TestSupportError("no configuration: \(members)")
        }
        return document
    }
}

extension DocumentRules {
    static let anything = try? of("{}")

    /// The rules for documents of that schema.
    static func of(_ schema: String, maxBytes: Int = 1 << 20) throws -> DocumentRules {
        let schema = try Schema(compiling: JSONParser.parse(Array(schema.utf8), policy: .rfc8259))
        return DocumentRules(schema: schema, maxBytes: maxBytes)
    }
}

extension DerivedConfiguration {
    var document: String { String(decoding: text, as: UTF8.self) }
}
