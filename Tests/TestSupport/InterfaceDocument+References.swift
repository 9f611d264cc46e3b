import Foundation
import NeuroViewsJSON
import OpenAPI

extension InterfaceDocument {
    /// An unresolvable reference.
    package struct Unresolved: Error {
        let reference: String
    }

    /// The value itself, or the target of its `$ref`.
    package func resolved(_ value: JSONValue) throws -> JSONValue {
        var value = value
        for _ in 0..<10 {
            guard let reference = value["$ref"]?.string else { return value }
            value = try target(of: reference)
        }
        throw Unresolved(reference: "more than 10 steps")
    }

    /// The target of a reference within the document.
    package func target(of reference: String) throws -> JSONValue {
        guard let target = JSONPointer(String(reference.dropFirst()))?.evaluate(in: root) else {
            throw Unresolved(reference: reference)
        }
        return target
    }

    /// The value with all references inlined, for a validator without `$ref` support.
    package func inlined(_ value: JSONValue) throws -> JSONValue {
        switch try resolved(value) {
        case .object(let object):
            // Schemathesis checks patterns; the validator does not support them.
            .object(
                JSONObject(
                    try object.members.filter { $0.name != "pattern" || $0.value.string == nil }
                        .map { .init(name: $0.name, value: try inlined($0.value)) }
                )
            )
        case .array(let items): .array(try items.map(inlined))
        case let scalar: scalar
        }
    }

    /// The operation's path on a server, after the path of the first server URL.
    package func target(of operation: Operation) throws -> String {
        let servers = operation.pathItem["servers"] ?? root["servers"]
        guard let url = servers?.array?.first?["url"]?.string.flatMap(URL.init(string:)) else {
            throw Unresolved(reference: "servers/0/url")
        }
        return url.path + operation.path
    }
}

extension JSONValue {
    /// Visits this value and all nested values.
    package func walk(_ visit: (JSONValue) throws -> Void) rethrows {
        try visit(self)
        for member in object?.members ?? [] { try member.value.walk(visit) }
        for item in array ?? [] { try item.walk(visit) }
    }

    /// The text that a client would receive.
    package var text: String { String(decoding: serialized(), as: UTF8.self) }
}
