import NeuroViewsJSON

/// The OpenAPI document as it is served: with the address that clients use.
struct ServedDocument: Sendable {
    let text: [UInt8]

    init(_ document: JSONValue, publicURL: String) {
        var document = document.object ?? JSONObject([])
        let server = JSONObject([.init(name: "url", value: .string(publicURL))])
        document.set("servers", to: .array([.object(server)]))
        text = JSONValue.object(document).serialized()
    }
}
