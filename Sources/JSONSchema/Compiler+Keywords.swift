import NeuroViewsJSON

extension Compiler {
    /// Keywords for values of any type, numbers and strings.
    func valueKeyword(_ name: String, _ source: Source) throws(SchemaError) -> Keyword? {
        switch name {
        case "type": .type(try source.types())
        case "enum": try enumeration(source)
        case "const": .constant(source.value, listing: Phrase.literal(source.value))
        case "minimum": .minimum(try source.bound())
        case "maximum": .maximum(try source.bound())
        case "exclusiveMinimum": .exclusiveMinimum(try source.bound())
        case "exclusiveMaximum": .exclusiveMaximum(try source.bound())
        case "multipleOf": .multipleOf(try source.divisor())
        case "minLength": .minLength(try source.count())
        case "maxLength": .maxLength(try source.count())
        case "format": .format(try source.format())
        default: nil
        }
    }

    func arrayKeyword(_ name: String, _ source: Source) throws(SchemaError) -> Keyword? {
        switch name {
        case "minItems": .minItems(try source.count())
        case "maxItems": .maxItems(try source.count())
        // `false` was left out: it has no effect.
        case "uniqueItems": try source.bool() ? .uniqueItems : nil
        case "prefixItems": .prefixItems(try source.nodes())
        case "items": .items(try source.node(), afterPrefix: try sibling("prefixItems")?.array().count ?? 0)
        case "contains": try contains(source)
        default: nil
        }
    }

    func objectKeyword(_ name: String, _ source: Source) throws(SchemaError) -> Keyword? {
        switch name {
        case "required": .required(try source.names())
        case "properties": .properties(try source.namedNodes())
        case "additionalProperties":
            .additionalProperties(try source.node(), known: try sibling("properties")?.object() ?? JSONObject())
        case "propertyNames": .propertyNames(try source.node())
        case "minProperties": .minProperties(try source.count())
        case "maxProperties": .maxProperties(try source.count())
        case "dependentRequired": .dependentRequired(try source.namedNames())
        case "dependentSchemas": .dependentSchemas(try source.namedNodes())
        default: nil
        }
    }

    /// The keywords that combine schemas. They are tried last, so any other keyword is unknown.
    func applicator(_ name: String, _ source: Source) throws(SchemaError) -> Keyword {
        switch name {
        case "allOf": .allOf(try source.nonEmptyNodes())
        case "anyOf": .anyOf(try source.nonEmptyNodes())
        case "oneOf": try object["discriminator"] == nil ? .oneOf(source.nonEmptyNodes()) : choice(source)
        case "not": .not(try source.node())
        case "if":
            .conditional(if: try source.node(), then: try sibling("then")?.node(), else: try sibling("else")?.node())
        default: throw source.error(.unknownKeyword(name))
        }
    }

    /// `oneOf` beside OpenAPI's `discriminator`: a member selects the schema, and each schema lists the member's values
    /// in `enum`. So a violation describes the error in the intended schema.
    private func choice(_ source: Source) throws(SchemaError) -> Keyword {
        let name = object["discriminator"]?["propertyName"]?.string ?? ""
        let (schemas, nodes) = (try source.array(), try source.nonEmptyNodes())
        var choices: [(value: JSONValue, node: Node)] = []
        for (schema, node) in zip(schemas, nodes) {
            guard let values = schema["properties"]?[name]?["enum"]?.array else {
                throw source.error(.malformed(expected: "schemas that list the values of \(name) in enum"))
            }
            for value in values { choices.append((value, node)) }
        }
        return .choice(name, choices, listing: Phrase.list(choices.map { $0.value }))
    }

    private func enumeration(_ source: Source) throws(SchemaError) -> Keyword {
        let values = try source.array()
        return .enumeration(values, listing: Phrase.list(values))
    }

    private func contains(_ source: Source) throws(SchemaError) -> Keyword {
        .contains(
            try source.node(),
            atLeast: try sibling("minContains")?.count() ?? 1,
            atMost: try sibling("maxContains")?.count()
        )
    }
}
