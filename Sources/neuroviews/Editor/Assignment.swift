import NeuroViewsClient

/// A change of one member: a value, or its removal.
struct Assignment: Sendable, Equatable {
    /// A JSON Pointer (RFC 6901).
    let pointer: String
    /// Nil removes the member.
    let value: JSONValue?

    /// Reads `--set /frame_rate=25`. A name in a pointer may have "=" in it only if it is last, so the first one divides.
    init(set text: String) throws(Failure) {
        guard let equals = text.firstIndex(of: "="), text.hasPrefix("/") else {
            throw .usage(
                "--set is \"\(text)\": write a JSON Pointer, = and JSON, such as /frame_rate=25 or '/name=\"Harbour\"'."
            )
        }
        guard let value = JSONValue(text: String(text[text.index(after: equals)...])) else {
            throw .usage(
                "--set \(text[..<equals]) has no JSON after the =: texts need quotes, as in '/name=\"Harbour\"'."
            )
        }
        self.init(String(text[..<equals]), value)
    }

    init(_ pointer: String, _ value: JSONValue?) {
        self.pointer = pointer
        self.value = value
    }

    /// The changes that make `new` of `old`: the deepest members that differ. An array is one value.
    static func between(_ old: JSONValue, _ new: JSONValue, at pointer: String = "") -> [Assignment] {
        guard case .object(let before) = old, case .object(let after) = new else {
            return old == new ? [] : [Assignment(pointer, new)]
        }
        var changes: [Assignment] = []
        for (name, value) in before.members {
            let place = pointer + "/" + escaped(name)
            guard let other = after[name] else {
                changes.append(Assignment(place, nil))
                continue
            }
            changes += between(value, other, at: place)
        }
        for (name, value) in after.members where before[name] == nil {
            changes.append(Assignment(pointer + "/" + escaped(name), value))
        }
        return changes
    }

    private static func escaped(_ name: String) -> String {
        String(
            String.UnicodeScalarView(
                name.unicodeScalars.flatMap { scalar -> [Unicode.Scalar] in
                    switch scalar {
                    case "~": ["~", "0"]
                    case "/": ["~", "1"]
                    default: [scalar]
                    }
                }
            )
        )
    }
}

extension CameraConfiguration {
    /// Makes the changes, each of which is noted.
    mutating func apply(_ changes: [Assignment]) {
        for change in changes { self[change.pointer] = change.value }
    }
}

extension Assignment {
    /// Refuses the removal of members that a configuration does not have: each would be a new version without a change.
    static func requireMembers(_ changes: [Assignment], of configuration: CameraConfiguration) throws(Failure) {
        var changed = configuration
        for change in changes {
            guard change.value != nil || changed[change.pointer] != nil else {
                throw Failure("There is no member \(change.pointer) to remove: neuroviews show prints them.", .noInput)
            }
            changed[change.pointer] = change.value
        }
    }
}

extension CommandCall {
    /// The changes of --set and --remove.
    func assignments() throws(Failure) -> [Assignment] {
        var changes: [Assignment] = []
        for text in values("--set") { changes.append(try Assignment(set: text)) }
        return changes + values("--remove").map { Assignment($0, nil) }
    }
}
