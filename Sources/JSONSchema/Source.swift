import NeuroViewsJSON

/// The value of a keyword in the schema's text, with its place for errors.
struct Source {
    let value: JSONValue
    let pointer: JSONPointer

    func error(_ reason: SchemaError.Reason) -> SchemaError {
        SchemaError(pointer: pointer, reason: reason)
    }

    private func malformed(_ expected: String) -> SchemaError {
        error(.malformed(expected: expected))
    }

    func string() throws(SchemaError) -> String {
        guard let string = value.string else { throw malformed("a string") }
        return string
    }

    func bool() throws(SchemaError) -> Bool {
        guard let bool = value.bool else { throw malformed("true or false") }
        return bool
    }

    func array() throws(SchemaError) -> [JSONValue] {
        guard let array = value.array else { throw malformed("an array") }
        return array
    }

    func object() throws(SchemaError) -> JSONObject {
        guard let object = value.object else { throw malformed("an object") }
        return object
    }

    func bound() throws(SchemaError) -> Bound {
        guard let number = value.number else { throw malformed("a number") }
        return Bound(number)
    }

    func divisor() throws(SchemaError) -> Bound {
        guard let number = value.number, number > JSONNumber(0) else { throw malformed("a number above 0") }
        return Bound(number)
    }

    func count() throws(SchemaError) -> Int {
        guard let count = value.number?.int64, count >= 0 else { throw malformed("a whole number from 0") }
        return Int(count)
    }

    func format() throws(SchemaError) -> Format {
        let name = try string()
        guard let format = Format(rawValue: name) else { throw error(.unknownFormat(name)) }
        return format
    }
}

extension Source {
    func types() throws(SchemaError) -> TypeSet {
        if case .string(let name) = value { return try type(name) }
        var types: TypeSet = []
        for name in try names() { types.insert(try type(name)) }
        if types.isEmpty { throw malformed("a type or a list of types") }
        return types
    }

    private func type(_ name: String) throws(SchemaError) -> TypeSet {
        guard let type = TypeSet(name: name) else { throw malformed("the name of a type") }
        return type
    }

    /// An array of strings, each once.
    func names() throws(SchemaError) -> [String] {
        var names: [String] = []
        for item in try array() {
            guard let name = item.string, !names.contains(where: name.hasSameBytes) else {
                throw malformed("an array of different strings")
            }
            names.append(name)
        }
        return names
    }

    func namedNames() throws(SchemaError) -> [(name: String, required: [String])] {
        var result: [(name: String, required: [String])] = []
        for member in try object().members {
            let source = Source(value: member.value, pointer: pointer.appending(member: member.name))
            result.append((member.name, try source.names()))
        }
        return result
    }

    func node() throws(SchemaError) -> Node {
        try Node(compiling: value, at: pointer)
    }

    func nodes() throws(SchemaError) -> [Node] {
        var nodes: [Node] = []
        for item in try array() {
            nodes.append(try Node(compiling: item, at: pointer.appending(index: nodes.count)))
        }
        return nodes
    }

    func nonEmptyNodes() throws(SchemaError) -> [Node] {
        let nodes = try nodes()
        if nodes.isEmpty { throw malformed("an array with at least one schema") }
        return nodes
    }

    func namedNodes() throws(SchemaError) -> [NamedNode] {
        var nodes: [NamedNode] = []
        for member in try object().members {
            let node = try Node(compiling: member.value, at: pointer.appending(member: member.name))
            nodes.append(NamedNode(name: member.name, node: node))
        }
        return nodes
    }
}
