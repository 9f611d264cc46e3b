import NeuroViewsJSON

/// Members of documents, named by JSON Pointers (RFC 6901) as text. A missing value is nil.
enum Members {
    static func names(_ pointer: String) -> [String] { JSONPointer(pointer)?.tokens ?? [] }

    static func value(of document: JSONValue?, at pointer: String) -> JSONValue? {
        names(pointer).reduce(document) { $0?.object?[$1] }
    }

    /// The document with a member set, or removed if the value is nil. Missing objects on the path are created.
    static func putting(_ value: JSONValue?, into document: JSONValue?, at names: some Collection<String>) -> JSONValue?
    {
        guard let name = names.first else { return value }
        let object = document?.object ?? JSONObject()
        let inner = putting(value, into: object[name], at: names.dropFirst())
        var changed = JSONObject(object.members.filter { $0.name != name || inner != nil })
        if let inner { changed.set(name, to: inner) }
        return .object(changed)
    }

    /// The longest prefix of the pointer with an existing parent object in the document.
    static func reachable(_ pointer: String, in document: JSONValue) -> String {
        var pointer = pointer
        while let slash = pointer.lastIndex(of: "/"), slash != pointer.startIndex,
            value(of: document, at: String(pointer[..<slash]))?.object == nil
        {
            pointer = String(pointer[..<slash])
        }
        return pointer
    }

    /// Adds a member to a set of members with their times. A member below another one is part of that one.
    static func note(_ pointer: String, _ time: String, in members: inout [String: String]) {
        if let above = members.keys.first(where: { pointer == $0 || pointer.hasPrefix($0 + "/") }) {
            members[above] = time
            return
        }
        members = members.filter { !$0.key.hasPrefix(pointer + "/") }
        members[pointer] = time
    }

    /// The merge patch (RFC 7396) from `old` to `new`; nil if there is none, because a patch cannot set null.
    static func patch(from old: JSONValue?, to new: JSONValue) -> JSONValue? {
        if case .null = new { return nil }
        guard let wanted = new.object else { return new }
        var patch = JSONObject()
        for member in old?.object?.members ?? [] where !wanted.contains(member.name) {
            patch.set(member.name, to: .null)
        }
        for member in wanted.members where old?.object?[member.name] != member.value {
            guard let inner = Self.patch(from: old?.object?[member.name], to: member.value) else { return nil }
            patch.set(member.name, to: inner)
        }
        return .object(patch)
    }

    /// A member's name as part of a pointer.
    static func escaped(_ name: String) -> String {
        name.replacing("~", with: "~0").replacing("/", with: "~1")
    }
}
