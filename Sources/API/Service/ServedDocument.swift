import NeuroViewsJSON
import OpenAPI

/// The OpenAPI document as it is served: with the address that clients use.
struct ServedDocument: Sendable {
    let text: [UInt8]

    /// Throws when the document is not JSON.
    init(_ publicURL: String) throws {
        var document = try JSONParser.parse(OpenAPIDocument.text, policy: .rfc8259).object ?? JSONObject([])
        let server = JSONObject([.init(name: "url", value: .string(publicURL))])
        document.set("servers", to: .array([.object(server)]))
        text = JSONValue.object(document).serialized()
    }
}
