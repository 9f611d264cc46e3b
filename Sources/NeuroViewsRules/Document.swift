import NeuroViewsJSON

/// A document of an item. Members that nobody knows, and the spelling of numbers, stay as they are.
package struct Document: Sendable, Hashable {
    /// The members.
    package private(set) var object: JSONObject

    /// Takes an object.
    package init(_ object: JSONObject) { self.object = object }

    /// Takes a value; nil if it is no object.
    package init?(_ value: JSONValue?) {
        guard let object = value?.object else { return nil }
        self.object = object
    }

    /// Reads the text of a document; nil if it is none.
    package init?(text: [UInt8]) { self.init(try? JSONParser.parse(text, policy: .rfc8259)) }

    /// The text to send and to store.
    package var text: [UInt8] { JSONValue.object(object).serialized() }

    /// The time of its last edit; nil if it has none that can be read.
    package var modifiedAt: Instant? { object["modified_at"]?.string.flatMap { Instant($0) } }

    /// The value of a member; nil if it is missing. An array is one value: no pointer leads into it.
    package func value(at pointer: JSONPointer) -> JSONValue? {
        pointer.tokens.reduce(.object(object)) { $0?.object?[$1] }
    }

    /// Sets a member, or removes it if the value is nil. Missing objects on the way are created.
    package mutating func put(_ value: JSONValue?, at pointer: JSONPointer) {
        object = Self.putting(value, into: object, at: pointer.tokens[...])
    }

    private static func putting(_ value: JSONValue?, into object: JSONObject, at names: ArraySlice<String>)
        -> JSONObject
    {
        guard let name = names.first else { return object }
        var changed = object
        if names.count == 1 {
            guard let value else { return JSONObject(object.members.filter { !$0.name.hasSameBytes(as: name) }) }
            changed.set(name, to: value)
            return changed
        }
        let inner = object[name]?.object
        // Nothing to remove: an object must not take the place of another value for it.
        if inner == nil, value == nil { return object }
        changed.set(name, to: .object(putting(value, into: inner ?? JSONObject(), at: names.dropFirst())))
        return changed
    }

    /// The pointer, or its nearest parent that has an object above it.
    package func reachable(_ pointer: JSONPointer) -> JSONPointer {
        var place = JSONPointer()
        var object: JSONObject? = object
        for name in pointer.tokens {
            guard let above = object else { break }
            place.append(member: name)
            object = above[name]?.object
        }
        return place
    }

    /// The place above the pointer that has a value without members; nil if the pointer can be set.
    package func obstacle(above pointer: JSONPointer) -> JSONPointer? {
        var place = JSONPointer()
        for name in pointer.tokens.dropLast() {
            place.append(member: name)
            guard let above = value(at: place) else { return nil }
            if above.object == nil { return place }
        }
        return nil
    }
}
