import JSON
import JSONSchema
import OpenAPI

/// The schemas of the bodies, compiled once.
public struct Schemas: Sendable {
    let registration: Schema
    let login: Schema
    let configuration: Schema
    let configurationBody: Schema
    let restore: Schema
    let device: Schema

    /// Compiles them. Throws for a schema that is no JSON or uses an unknown keyword.
    public init() throws {
        registration = try Self.compile(OpenAPIDocument.registrationSchema)
        login = try Self.compile(OpenAPIDocument.loginSchema)
        configuration = try Self.compile(OpenAPIDocument.cameraConfigurationSchema)
        configurationBody = try Self.compile(OpenAPIDocument.cameraConfigurationSchema, wrappedIn: "configuration")
        restore = try Self.compile(OpenAPIDocument.restoreSchema)
        device = try Self.compile(OpenAPIDocument.deviceSchema)
    }

    /// The schema of an object with one member that `text` is the schema of.
    private static func compile(_ text: [UInt8], wrappedIn name: String) throws -> Schema {
        let member = JSONObject([.init(name: name, value: try JSONParser.parse(text, policy: .rfc8259))])
        return try Schema(
            compiling: .object(
                JSONObject([
                    .init(name: "type", value: .string("object")),
                    .init(name: "required", value: .array([.string(name)])),
                    .init(name: "properties", value: .object(member)),
                ])
            )
        )
    }

    private static func compile(_ text: [UInt8]) throws -> Schema {
        try Schema(compiling: try JSONParser.parse(text, policy: .rfc8259))
    }
}
