import NeuroViewsJSON

/// The members of a document that the user changed, each with its time. A member below a noted one is part of it, so
/// they are a tree whose leaves have times. Names are compared by their bytes.
package struct Members: Sendable, Equatable {
    private var time: Instant?
    private var below: [ByteKey: Members] = [:]

    /// No members.
    package init() {}

    /// True if no member is noted.
    package var isEmpty: Bool { time == nil && below.isEmpty }

    /// Notes a member. Below a noted one, it gives that one its time; it takes in those below itself.
    package mutating func note(_ pointer: JSONPointer, _ time: Instant) { note(pointer.tokens[...], time) }

    private mutating func note(_ names: ArraySlice<String>, _ time: Instant) {
        guard self.time == nil, let name = names.first else {
            (self.time, below) = (time, [:])
            return
        }
        below[ByteKey(string: name), default: Members()].note(names.dropFirst(), time)
    }

    /// Notes members in the order of their times, so that those which meet get the later one.
    package mutating func note(_ members: [(pointer: JSONPointer, time: Instant)]) {
        for (pointer, time) in members.sorted(by: { $0.time < $1.time }) { note(pointer, time) }
    }

    /// The noted members, in the order of their names.
    package var all: [(pointer: JSONPointer, time: Instant)] { all(below: JSONPointer()) }

    private func all(below pointer: JSONPointer) -> [(pointer: JSONPointer, time: Instant)] {
        if let time { return [(pointer, time)] }
        let names = below.keys.sorted { $0.string.utf8.lexicographicallyPrecedes($1.string.utf8) }
        return names.flatMap { name in below[name]?.all(below: pointer.appending(member: name.string)) ?? [] }
    }
}

extension Members {
    /// The pointers with their times, for storing.
    package var json: JSONValue {
        .object(JSONObject(all.map { .init(name: $0.pointer.description, value: .string($0.time.text)) }))
    }

    /// Reads what `json` stored; nil if it is anything else.
    package init?(json: JSONValue) {
        guard let stored = json.object else { return nil }
        for member in stored.members {
            guard let pointer = JSONPointer(member.name), !pointer.isRoot,
                let time = member.value.string.flatMap({ Instant($0) })
            else { return nil }
            note(pointer, time)
        }
    }
}
