import JSONSchema
import NeuroViewsJSON
import OpenAPI

/// The schemas of request bodies, compiled once. Each is found by the name of its file in OpenAPI/schemas.
package struct Schemas: Sendable {
    private let compiled: [String: Schema]
    /// The schema of an object with a configuration.
    let configurationBody: Schema
    /// The schema of an object with the metadata of a recording.
    let recordingBody: Schema
    /// The values of a recording's `video_format`.
    let videoFormats: [String]

    /// Compiles the schemas. Throws for a schema that is not JSON or uses an unknown keyword.
    package init() throws {
        let files = try OpenAPIDocument.schemas.mapValues { try JSONParser.parse($0, policy: .rfc8259) }
        compiled = try files.mapValues { try Schema(compiling: $0.resolved(files)) }
        let metadata = try Self.find("recording-metadata.json", in: files)
        recordingBody = try Self.object(with: "metadata", metadata)
        configurationBody = try Self.object(with: "configuration", Self.find("camera-configuration.json", in: files))
        videoFormats = metadata["properties"]?["video_format"]?["enum"]?.array?.compactMap(\.string) ?? []
    }

    /// The schema in a file. Throws if there is no such file.
    subscript(file: String) -> Schema {
        get throws { try Self.find(file, in: compiled) }
    }

    private static func find<T>(_ file: String, in files: [String: T]) throws -> T {
        guard let found = files[file] else { throw UnknownSchema(description: "there is no schema \(file)") }
        return found
    }

    /// The schema of an object with one member.
    private static func object(with name: String, _ schema: JSONValue) throws -> Schema {
        try Schema(
            compiling: .object(
                JSONObject([
                    .init(name: "type", value: .string("object")),
                    .init(name: "required", value: .array([.string(name)])),
                    .init(name: "properties", value: .object(JSONObject([.init(name: name, value: schema)]))),
                ])
            )
        )
    }
}

/// A mistake of ours: a route names a schema without a file.
private struct UnknownSchema: Error, CustomStringConvertible {
    let description: String
}

extension JSONValue {
    /// This schema with the schemas of other files in place of references to them.
    fileprivate func resolved(_ files: [String: JSONValue]) -> JSONValue {
        switch self {
        case .array(let items): return .array(items.map { $0.resolved(files) })
        case .object(let object):
            if let name = object["$ref"]?.string, let file = files[name] { return file.resolved(files) }
            let members = object.members.map { JSONObject.Member(name: $0.name, value: $0.value.resolved(files)) }
            return .object(JSONObject(members))
        default: return self
        }
    }
}
