import Foundation
import JSON
import OpenAPI
import Testing

/// The OpenAPI document as the binary has it.
struct Document {
    /// A method of a path.
    struct Operation: CustomStringConvertible {
        let method: String
        let path: String
        /// The operation's own members.
        let value: JSONValue
        /// The members of the path that it belongs to.
        let pathItem: JSONValue

        var description: String { "\(method) \(path)" }
    }

    static let methods = ["get", "put", "post", "delete", "options", "head", "patch", "trace"]

    let root: JSONValue

    init() throws {
        root = try JSONParser.parse(OpenAPIDocument.text, policy: .requestBody)
    }

    var operations: [Operation] {
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

    /// The parameters of an operation, those of its path included.
    func parameters(of operation: Operation) throws -> [JSONValue] {
        let listed = (operation.value["parameters"]?.array ?? []) + (operation.pathItem["parameters"]?.array ?? [])
        return try listed.map(resolved)
    }

    /// The answers of an operation, by status.
    func responses(of operation: Operation) throws -> [(status: String, value: JSONValue)] {
        try (operation.value["responses"]?.object?.members ?? []).map { ($0.name, try resolved($0.value)) }
    }
}

// MARK: References

extension Document {
    struct Unresolved: Error { let reference: String }

    /// What a value stands for: itself, or what its `$ref` leads to.
    func resolved(_ value: JSONValue) throws -> JSONValue {
        var value = value
        for _ in 0..<10 {
            guard let reference = value["$ref"]?.string else { return value }
            value = try target(of: reference)
        }
        throw Unresolved(reference: "more than 10 steps")
    }

    /// Where a reference leads: to a place of this document, or to a file beside it.
    func target(of reference: String) throws -> JSONValue {
        if reference.hasPrefix("#") {
            guard let target = JSONPointer(String(reference.dropFirst()))?.evaluate(in: root) else {
                throw Unresolved(reference: reference)
            }
            return target
        }
        let folder = "schemas/"
        guard reference.hasPrefix(folder),
            let text = OpenAPIDocument.schemas[String(reference.dropFirst(folder.count))]
        else { throw Unresolved(reference: reference) }
        return try JSONParser.parse(text, policy: .requestBody)
    }

    /// The value with everything that it refers to in its place, for a validator that knows no references.
    func inlined(_ value: JSONValue) throws -> JSONValue {
        switch try resolved(value) {
        case .object(let object):
            .object(JSONObject(try object.members.map { .init(name: $0.name, value: try inlined($0.value)) }))
        case .array(let items): .array(try items.map(inlined))
        case let scalar: scalar
        }
    }
}

extension JSONValue {
    /// This value and everything in it.
    func walk(_ visit: (JSONValue) throws -> Void) rethrows {
        try visit(self)
        for member in object?.members ?? [] { try member.value.walk(visit) }
        for item in array ?? [] { try item.walk(visit) }
    }

    /// The text that a client would receive.
    var text: String { String(decoding: serialized(), as: UTF8.self) }
}

/// The folder that the package lies in.
let repositoryRoot = URL(fileURLWithPath: #filePath).appendingPathComponent("../../..").standardized
