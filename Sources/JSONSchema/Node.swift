import NeuroViewsJSON

/// A compiled schema or subschema.
enum Node: Sendable {
    /// The schema `true`.
    case anything
    /// The schema `false`.
    case nothing
    /// All of these must be met.
    case keywords([Keyword])
}

/// A compiled keyword. Keywords that belong together are one case.
enum Keyword: Sendable {
    case type(TypeSet)
    case enumeration([JSONValue], listing: String)
    case constant(JSONValue, listing: String)

    case minimum(Bound)
    case maximum(Bound)
    case exclusiveMinimum(Bound)
    case exclusiveMaximum(Bound)
    case multipleOf(Bound)

    case minLength(Int)
    case maxLength(Int)
    case format(Format)

    case minItems(Int)
    case maxItems(Int)
    case uniqueItems
    case prefixItems([Node])
    case items(Node, afterPrefix: Int)
    case contains(Node, atLeast: Int, atMost: Int?)

    case required([String])
    case properties([NamedNode])
    case additionalProperties(Node, known: JSONObject)
    case propertyNames(Node)
    case minProperties(Int)
    case maxProperties(Int)
    case dependentRequired([(name: String, required: [String])])
    case dependentSchemas([NamedNode])

    case allOf([Node])
    case anyOf([Node])
    case oneOf([Node])
    case choice(String, [(value: JSONValue, node: Node)], listing: String)
    case not(Node)
    case conditional(if: Node, then: Node?, else: Node?)
}

/// A subschema for the member of that name.
struct NamedNode: Sendable {
    let name: String
    let node: Node
}

/// A number of the schema, with its exact value computed once.
struct Bound: Sendable {
    let number: JSONNumber
    let decimal: ExactDecimal

    init(_ number: JSONNumber) {
        self.number = number
        decimal = number.decimal
    }
}
