import NeuroViewsJSON

/// The reason why a schema can't be compiled.
public struct SchemaError: Error, Sendable, Equatable {
    /// The place in the schema.
    public let pointer: JSONPointer
    /// The kind of error.
    public let reason: Reason

    /// The possible errors of a schema.
    public enum Reason: Sendable, Equatable {
        /// A schema must be an object or a truth value.
        case notASchema
        /// A keyword that is unknown or unsupported.
        case unknownKeyword(String)
        /// A format that isn't implemented.
        case unknownFormat(String)
        /// A `$schema` that isn't draft 2020-12.
        case unknownDialect
        /// `$id` within the schema. As an annotation it is accepted at the root only.
        case nestedIdentifier
        /// The keyword has a value of the wrong form.
        case malformed(expected: String)
    }
}

extension SchemaError: CustomStringConvertible {
    /// The reason with its place.
    public var description: String {
        "\(pointer.isRoot ? "the schema" : pointer.description): \(explanation)"
    }

    private var explanation: String {
        switch reason {
        case .notASchema: "a schema must be an object, true or false"
        case .unknownKeyword(let name): "the keyword \(name) is not supported"
        case .unknownFormat(let name): "the format \(name) is not supported"
        case .unknownDialect: "only JSON Schema draft 2020-12 is implemented"
        case .nestedIdentifier: "$id is taken at the root only"
        case .malformed(let expected): "must be \(expected)"
        }
    }
}
