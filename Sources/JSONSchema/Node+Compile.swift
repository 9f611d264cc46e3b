import NeuroViewsJSON

extension Node {
    init(compiling schema: JSONValue, at pointer: JSONPointer) throws(SchemaError) {
        switch schema {
        case .bool(true): self = .anything
        case .bool(false): self = .nothing
        case .object(let object): self = .keywords(try Compiler(object: object, pointer: pointer).compile())
        default: throw SchemaError(pointer: pointer, reason: .notASchema)
        }
    }
}

/// Compiles one schema object. Members are read in their order, so violations have the same order.
struct Compiler {
    let object: JSONObject
    let pointer: JSONPointer

    func compile() throws(SchemaError) -> [Keyword] {
        var keywords: [Keyword] = []
        for member in object.members {
            let name = member.name
            let source = Source(value: member.value, pointer: pointer.appending(member: name))
            if try isAnnotation(name, source) { continue }
            let keyword =
                if let found = try valueKeyword(name, source) {
                    found
                } else if let found = try arrayKeyword(name, source) {
                    found
                } else if let found = try objectKeyword(name, source) {
                    found
                } else {
                    try applicator(name, source)
                }
            keywords.append(keyword)
        }
        return keywords
    }

    /// Another keyword of the object, on which this one depends.
    func sibling(_ name: String) -> Source? {
        object[name].map { Source(value: $0, pointer: pointer.appending(member: name)) }
    }

    /// Checks the keywords without an effect of their own on values, and leaves them out.
    private func isAnnotation(_ name: String, _ source: Source) throws(SchemaError) -> Bool {
        switch name {
        case "$schema": try dialect(source)
        case "$id": try identifier(source)
        case "title", "description", "$comment": _ = try source.string()
        case "deprecated", "readOnly", "writeOnly": _ = try source.bool()
        case "examples": _ = try source.array()
        case "default": break
        // Part of `oneOf`.
        case "discriminator": _ = try source.object()
        // Part of `contains` and `if`. Alone they have no effect, but must be well-formed.
        case "minContains", "maxContains": _ = try source.count()
        case "then", "else":
            if object["if"] == nil { _ = try source.node() }
        case "uniqueItems" where source.value == .bool(false): break
        default: return false
        }
        return true
    }

    private func dialect(_ source: Source) throws(SchemaError) {
        let dialect = try source.string()
        if dialect != "https://json-schema.org/draft/2020-12/schema" { throw source.error(.unknownDialect) }
    }

    private func identifier(_ source: Source) throws(SchemaError) {
        _ = try source.string()
        if !pointer.isRoot { throw source.error(.nestedIdentifier) }
    }
}
