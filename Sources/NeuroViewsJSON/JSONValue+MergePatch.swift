extension JSONValue {
    /// This value after a JSON Merge Patch (RFC 7396): null removes a member, objects merge, anything else replaces.
    ///
    /// Members keep their order; new ones follow in the patch's order. Values that the patch does not name keep their
    /// text. The cost is linear in the size of both. The result is never nested deeper than the deeper of the two.
    public func applying(mergePatch patch: JSONValue) -> JSONValue {
        guard case .object(let changes) = patch else { return patch }
        let own = object ?? JSONObject()
        var members: [JSONObject.Member] = []
        for member in own.members {
            guard let change = changes[member.name] else {
                members.append(member)
                continue
            }
            if case .null = change { continue }
            members.append(.init(name: member.name, value: member.value.applying(mergePatch: change)))
        }
        for change in changes.members where !own.contains(change.name) {
            if case .null = change.value { continue }
            // The target is empty: nulls further down have nothing to remove and are dropped.
            members.append(.init(name: change.name, value: JSONValue.null.applying(mergePatch: change.value)))
        }
        return .object(JSONObject(members))
    }
}
