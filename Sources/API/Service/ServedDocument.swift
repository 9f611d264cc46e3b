import JSON
import OpenAPI

/// The OpenAPI document as this server gives it out: complete in itself, because many generators don't follow references
/// to other files, and with the address that clients use.
struct ServedDocument: Sendable {
    let text: [UInt8]

    /// Throws when the document is not the JSON it should be.
    init(_ publicURL: String) throws {
        var document = try JSONParser.parse(OpenAPIDocument.text, policy: .rfc8259)
        let server = JSONObject([.init(name: "url", value: .string(publicURL))])
        document = document.replacing("servers", with: .array([.object(server)]))
        if var components = document["components"], var schemas = components["schemas"]?.object {
            for member in schemas.members {
                guard let file = member.value["$ref"]?.string, file.hasPrefix("schemas/"),
                    let schema = OpenAPIDocument.schemas[String(file.dropFirst("schemas/".count))]
                else { continue }
                schemas.set(member.name, to: try JSONParser.parse(schema, policy: .rfc8259))
            }
            components = components.replacing("schemas", with: .object(schemas))
            document = document.replacing("components", with: components)
        }
        text = document.serialized()
    }
}

extension JSONValue {
    /// The same object with another value for one of its members.
    fileprivate func replacing(_ name: String, with value: JSONValue) -> JSONValue {
        guard var object = object else { return self }
        object.set(name, to: value)
        return .object(object)
    }
}
