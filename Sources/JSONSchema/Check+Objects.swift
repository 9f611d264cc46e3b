import NeuroViewsJSON

extension Check {
    mutating func checkObject(_ keyword: Keyword, _ object: JSONObject) {
        switch keyword {
        case .required(let names):
            for name in names where !object.contains(name) {
                report("required", "is required", member: name)
            }
        case .properties(let nodes):
            for property in nodes {
                guard let value = object[property.name] else { continue }
                apply(property.node, toMember: property.name, value, via: "properties")
            }
        case .additionalProperties(let node, let known): checkAdditional(node, known, object)
        case .propertyNames(let node): checkNames(node, object)
        case .minProperties(let minimum):
            if object.count < minimum {
                report("minProperties", "must have at least \(Phrase.members(minimum)), has \(object.count)")
            }
        case .maxProperties(let maximum):
            if object.count > maximum {
                report("maxProperties", "must have at most \(Phrase.members(maximum)), has \(object.count)")
            }
        case .choice(let name, let choices, let listing): checkChoice(name, choices, listing, object)
        case .dependentRequired(let dependencies): checkDependencies(dependencies, object)
        case .dependentSchemas(let nodes):
            for property in nodes where object.contains(property.name) {
                apply(property.node, to: .object(object), via: "dependentSchemas")
            }
        default: break
        }
    }

    private mutating func checkChoice(
        _ name: String,
        _ choices: [(value: JSONValue, node: Node)],
        _ listing: String,
        _ object: JSONObject
    ) {
        guard let value = object[name] else { return report("required", "is required", member: name) }
        guard let choice = choices.first(where: { $0.value == value }) else {
            return report("enum", "must be one of \(listing)", member: name)
        }
        apply(choice.node, to: .object(object), via: "oneOf")
    }

    private mutating func checkAdditional(_ node: Node, _ known: JSONObject, _ object: JSONObject) {
        for member in object.members where !known.contains(member.name) {
            if isFull { return }
            apply(node, toMember: member.name, member.value, via: "additionalProperties")
        }
    }

    private mutating func checkNames(_ node: Node, _ object: JSONObject) {
        for member in object.members where !Check.accepts(.string(member.name), node) {
            if isFull { return }
            var allowed = ""
            if case .keywords(let keywords) = node, case .enumeration(_, let listing)? = keywords.first {
                allowed = ", not one of \(listing)"
            }
            report("propertyNames", "has a name that is not allowed: \(Phrase.echo(name: member.name))\(allowed)")
        }
    }

    private mutating func checkDependencies(
        _ dependencies: [(name: String, required: [String])],
        _ object: JSONObject
    ) {
        for dependency in dependencies where object.contains(dependency.name) {
            for name in dependency.required where !object.contains(name) {
                let cause = Phrase.literal(.string(dependency.name))
                report("dependentRequired", "is required when \(cause) is present", member: name)
            }
        }
    }
}
