import NeuroViewsJSON

extension Document {
    /// The merge patch (RFC 7396) that makes `wanted` of this document. Nil if there is none: a patch can't set null.
    package func mergePatch(to wanted: Document) -> Document? {
        Self.patch(from: object, to: wanted.object).map { Document($0) }
    }

    private static func patch(from old: JSONObject, to wanted: JSONObject) -> JSONObject? {
        var patch = JSONObject()
        for member in old.members where !wanted.contains(member.name) { patch.set(member.name, to: .null) }
        for member in wanted.members where old[member.name] != member.value {
            guard let change = change(from: old[member.name], to: member.value) else { return nil }
            patch.set(member.name, to: change)
        }
        return patch
    }

    private static func change(from old: JSONValue?, to wanted: JSONValue) -> JSONValue? {
        if case .null = wanted { return nil }
        guard let object = wanted.object else { return wanted }
        return patch(from: old?.object ?? JSONObject(), to: object).map { .object($0) }
    }
}
