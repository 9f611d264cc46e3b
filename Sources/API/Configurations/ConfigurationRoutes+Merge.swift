import CloudSync
import HTTP
import NeuroViewsJSON

extension ConfigurationRoutes {
    private static let absent = "There is no configuration with this id. POST /configurations creates it."

    func update(_ context: RequestContext) async throws -> Response {
        let (id, document) = (try context.id(), try await document(context))
        let (conditions, caller) = (try context.writeConditions(), try context.caller())
        guard Preferences(context.head.headers).contains("merge") else {
            let written = try await configurations.update(id, document, conditions, for: caller)
            return try written.response(absent: Self.absent, Self.updated)
        }
        let written = try await configurations.merging.update(id, document, conditions, by: rules, for: caller)
        return try written.response(absent: Self.absent) { written in
            switch written {
            case .stored(let receipt): Self.updated(receipt)
            case .merged(let made): Self.merged(made)
            }
        }
    }

    func patch(_ context: RequestContext) async throws -> Response {
        let (id, patch) = (try context.id(), try await context.mergePatch())
        let (conditions, caller) = (try context.writeConditions(), try context.caller())
        let written = try await configurations.merging.patch(id, patch, conditions, by: rules, for: caller)
        return try written.response(absent: Self.absent) { made in
            let fields: FieldBlock = [("ETag", EntityTag.of(made.version))]
            return .json(.ok, fields: fields, reservingBytes: made.text.count + 64) { Self.write(made, to: &$0) }
        }
    }

    private static func updated(_ receipt: WriteReceipt) -> Response {
        .json(.ok, fields: [("ETag", EntityTag.of(receipt.version))]) { writer in
            writer.member("updated_at", string: receipt.changedAt)
        }
    }

    private static func merged(_ made: DerivedConfiguration) -> Response {
        let fields: FieldBlock = [
            ("ETag", EntityTag.of(made.version)), ("Preference-Applied", "merge"),
        ]
        return .json(.ok, fields: fields, reservingBytes: made.text.count + 256) { writer in
            write(made, to: &writer)
            writer.member("conflicts")
            writer.beginArray()
            for conflict in made.conflicts { write(conflict, to: &writer) }
            writer.endArray()
        }
    }

    private static func write(_ made: DerivedConfiguration, to writer: inout JSONWriter) {
        writer.member("updated_at", string: made.changedAt)
        writer.member("configuration", raw: made.text)
    }

    /// A side without a value has no member: null is a value.
    private static func write(_ conflict: MergeConflict, to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("pointer", string: conflict.pointer.description)
        for (name, value) in [("base", conflict.base), ("mine", conflict.mine), ("theirs", conflict.theirs)] {
            guard let value else { continue }
            writer.member(name)
            writer.value(value)
        }
        writer.member("winner", string: conflict.winner == .mine ? "mine" : "theirs")
        writer.member("reason", string: conflict.reason == .laterEdit ? "later-edit" : "same-time")
        writer.endObject()
    }
}
