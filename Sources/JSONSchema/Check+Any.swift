import NeuroViewsJSON

extension Check {
    /// Checks a keyword for values of any type; false for other keywords.
    mutating func checkAny(_ keyword: Keyword, _ value: JSONValue) -> Bool {
        switch keyword {
        case .type(let types):
            if !types.allows(value) { reportType(types, value) }
        case .enumeration(let allowed, let listing):
            if !allowed.contains(value) { report("enum", "must be one of \(listing)") }
        case .constant(let constant, let listing):
            if constant != value { report("const", "must be \(listing)") }
        case .allOf(let nodes):
            for node in nodes { apply(node, to: value, via: "allOf") }
        case .anyOf(let nodes):
            if !nodes.contains(where: { Check.accepts(value, $0) }) {
                report("anyOf", "must match at least one of \(nodes.count) schemas, matches none")
            }
        case .oneOf(let nodes): checkOneOf(nodes, value)
        case .not(let node):
            if Check.accepts(value, node) { report("not", "must not match the excluded schema") }
        case .conditional(let condition, let then, let otherwise):
            let isMet = Check.accepts(value, condition)
            if let branch = isMet ? then : otherwise { apply(branch, to: value, via: isMet ? "then" : "else") }
        default: return false
        }
        return true
    }

    private mutating func reportType(_ types: TypeSet, _ value: JSONValue) {
        guard case .number(let number) = value, types.contains(.integer) else {
            return report("type", "must be \(types.phrase), is \(Phrase.kind(of: value))")
        }
        report("type", "must be \(types.phrase), is \(Phrase.echo(number))")
    }

    private mutating func checkOneOf(_ nodes: [Node], _ value: JSONValue) {
        let matches = nodes.count { Check.accepts(value, $0) }
        guard matches != 1 else { return }
        guard let choices = Phrase.choices(nodes) else {
            return report("oneOf", "must match exactly one of \(nodes.count) schemas, matches \(matches)")
        }
        report("oneOf", "must have one of these, has \(matches): \(choices)")
    }
}
