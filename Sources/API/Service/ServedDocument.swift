import JSON
import OpenAPI

/// The OpenAPI document as it is served. It is complete in itself, because many generators don't follow references to
/// other files. It has the address that clients use.
struct ServedDocument: Sendable {
    let text: [UInt8]

    /// Throws when the document or one of its files is not JSON.
    init(_ publicURL: String) throws {
        var document = try JSONParser.parse(OpenAPIDocument.text, policy: .rfc8259)
        let server = JSONObject([.init(name: "url", value: .string(publicURL))])
        document = document.replacing("servers", with: .array([.object(server)]))
        if var components = document["components"], var schemas = components["schemas"]?.object {
            let names = Self.componentNames(schemas)
            for member in schemas.members {
                guard let file = member.value["$ref"]?.string, file.hasPrefix("schemas/"),
                    let text = OpenAPIDocument.schemas[String(file.dropFirst("schemas/".count))]
                else { continue }
                let schema = try JSONParser.parse(text, policy: .rfc8259)
                schemas.set(member.name, to: schema.referring(to: names))
            }
            components = components.replacing("schemas", with: .object(schemas))
            document = document.replacing("components", with: components)
        }
        text = document.serialized()
    }

    /// The component of each file, by the file's name.
    private static func componentNames(_ schemas: JSONObject) -> [String: String] {
        schemas.members.reduce(into: [:]) { names, member in
            if let file = member.value["$ref"]?.string {
                names[String(file.split(separator: "/").last ?? "")] = member.name
            }
        }
    }
}

extension JSONValue {
    /// The same schema with references to components in place of references to files.
    fileprivate func referring(to names: [String: String]) -> JSONValue {
        switch self {
        case .string(let text): names[text].map { .string("#/components/schemas/\($0)") } ?? self
        case .array(let items): .array(items.map { $0.referring(to: names) })
        case .object(let object):
            .object(JSONObject(object.members.map { .init(name: $0.name, value: $0.value.referring(to: names)) }))
        default: self
        }
    }

    /// The same object with another value for one of its members.
    fileprivate func replacing(_ name: String, with value: JSONValue) -> JSONValue {
        guard var object = object else { return self }
        object.set(name, to: value)
        return .object(object)
    }
}
