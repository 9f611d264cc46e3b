import NeuroViewsJSON
import OpenAPI

/// The OpenAPI document in the binary.
package struct InterfaceDocument {
    /// A method on a path.
    package struct Operation: Sendable, CustomStringConvertible {
        /// The method in upper case.
        package let method: String
        /// The path in the document.
        package let path: String
        /// The operation's own members.
        package let value: JSONValue
        /// The members of the operation's path item.
        package let pathItem: JSONValue

        /// `PUT /configurations/{id}`.
        package var description: String { "\(method) \(path)" }
    }

    private static let methods = ["get", "put", "post", "delete", "options", "head", "patch", "trace"]

    /// The whole document.
    package let root: JSONValue

    private static let embedded = Result { try parse(OpenAPIDocument.text) }

    /// The embedded document, which is parsed once.
    package init() throws { root = try Self.embedded.get() }

    /// Parses another text.
    package init(_ text: [UInt8]) throws { root = try Self.parse(text) }

    private static func parse(_ text: [UInt8]) throws -> JSONValue {
        try JSONParser.parse(text, policy: .requestBody)
    }

    /// Every operation, in the order of the document.
    package var operations: [Operation] {
        (root["paths"]?.object?.members ?? []).flatMap { path in
            (path.value.object?.members ?? []).filter { Self.methods.contains($0.name) }.map { member in
                Operation(
                    method: member.name.uppercased(),
                    path: path.name,
                    value: member.value,
                    pathItem: path.value
                )
            }
        }
    }

    /// The parameters of an operation, including those of its path.
    package func parameters(of operation: Operation) throws -> [JSONValue] {
        let listed = (operation.value["parameters"]?.array ?? []) + (operation.pathItem["parameters"]?.array ?? [])
        return try listed.map(resolved)
    }

    /// The responses of an operation, by status.
    package func responses(of operation: Operation) throws -> [(status: String, value: JSONValue)] {
        try (operation.value["responses"]?.object?.members ?? []).map { ($0.name, try resolved($0.value)) }
    }
}
