import JSON
import JSONSchema
import OpenAPI

/// The schemas of request bodies, compiled once.
package struct Schemas: Sendable {
    let registration: Schema
    let login: Schema
    let confirmation: Schema
    let passwordChange: Schema
    let secondFactor: Schema
    let passkeyLogin: Schema
    let passkeyRegistration: Schema
    let totpCode: Schema
    let totpRemoval: Schema
    let idToken: Schema
    let idTokenLogin: Schema
    let passwordReset: Schema
    let passwordResetConfirmation: Schema
    let emailVerification: Schema
    let emailChange: Schema
    let configuration: Schema
    let configurationBody: Schema
    let restore: Schema
    let device: Schema
    let configurationBatch: Schema
    let uploadRequest: Schema
    let recordingMetadata: Schema
    let recordingBody: Schema
    let consents: Schema
    let analyticsEvents: Schema
    let analyticsEvent: Schema
    /// The values of a recording's `video_format`.
    let videoFormats: [String]

    /// Compiles the schemas. Throws for a schema that is not JSON or uses an unknown keyword.
    package init() throws {
        registration = try Self.compile(OpenAPIDocument.registrationSchema)
        login = try Self.compile(OpenAPIDocument.loginSchema)
        let assertion = (name: "assertion", text: OpenAPIDocument.passkeyAssertionSchema)
        confirmation = try Self.compile(OpenAPIDocument.confirmationSchema, with: assertion)
        passwordChange = try Self.compile(OpenAPIDocument.passwordChangeSchema)
        secondFactor = try Self.compile(OpenAPIDocument.secondFactorSchema, with: assertion)
        passkeyLogin = try Self.compile(OpenAPIDocument.passkeyLoginSchema, with: assertion)
        let credential = (name: "credential", text: OpenAPIDocument.passkeyCredentialSchema)
        passkeyRegistration = try Self.compile(OpenAPIDocument.passkeyRegistrationSchema, with: credential)
        totpCode = try Self.compile(OpenAPIDocument.totpCodeSchema)
        totpRemoval = try Self.compile(OpenAPIDocument.totpRemovalSchema)
        idToken = try Self.compile(OpenAPIDocument.idTokenSchema)
        idTokenLogin = try Self.compile(OpenAPIDocument.idTokenLoginSchema)
        passwordReset = try Self.compile(OpenAPIDocument.passwordResetSchema)
        passwordResetConfirmation = try Self.compile(OpenAPIDocument.passwordResetConfirmationSchema)
        emailVerification = try Self.compile(OpenAPIDocument.emailVerificationSchema)
        emailChange = try Self.compile(OpenAPIDocument.emailChangeSchema)
        configuration = try Self.compile(OpenAPIDocument.cameraConfigurationSchema)
        configurationBody = try Self.compile(OpenAPIDocument.cameraConfigurationSchema, wrappedIn: "configuration")
        restore = try Self.compile(OpenAPIDocument.restoreSchema)
        device = try Self.compile(OpenAPIDocument.deviceSchema)
        configurationBatch = try Self.compile(OpenAPIDocument.configurationBatchSchema)
        uploadRequest = try Self.compile(OpenAPIDocument.uploadRequestSchema)
        recordingMetadata = try Self.compile(OpenAPIDocument.recordingMetadataSchema)
        recordingBody = try Self.compile(OpenAPIDocument.recordingMetadataSchema, wrappedIn: "metadata")
        consents = try Self.compile(OpenAPIDocument.consentsSchema)
        analyticsEvents = try Self.compile(OpenAPIDocument.analyticsEventsSchema)
        analyticsEvent = try Self.compile(OpenAPIDocument.analyticsEventSchema)
        let metadata = try JSONParser.parse(OpenAPIDocument.recordingMetadataSchema, policy: .rfc8259)
        videoFormats = metadata["properties"]?["video_format"]?["enum"]?.array?.compactMap(\.string) ?? []
    }

    /// The schema of an object with one more member, which has its own schema.
    private static func compile(_ text: [UInt8], with member: (name: String, text: [UInt8])) throws -> Schema {
        let own = try JSONParser.parse(text, policy: .rfc8259)
        let inner = try JSONParser.parse(member.text, policy: .rfc8259)
        return try Schema(compiling: object("allOf", .array([own, object("properties", object(member.name, inner))])))
    }

    private static func object(_ name: String, _ value: JSONValue) -> JSONValue {
        .object(JSONObject([.init(name: name, value: value)]))
    }

    /// The schema of an object with one member, whose schema is `text`.
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
        try Schema(compiling: try JSONParser.parse(text, policy: .rfc8259).resolved())
    }
}

extension JSONValue {
    /// This schema with other files' schemas in place of references to them.
    fileprivate func resolved() throws -> JSONValue {
        switch self {
        case .array(let items): return .array(try items.map { try $0.resolved() })
        case .object(let object):
            if let name = object["$ref"]?.string, let text = OpenAPIDocument.schemas[name] {
                return try JSONParser.parse(text, policy: .rfc8259).resolved()
            }
            let members = try object.members.map { JSONObject.Member(name: $0.name, value: try $0.value.resolved()) }
            return .object(JSONObject(members))
        default: return self
        }
    }
}
