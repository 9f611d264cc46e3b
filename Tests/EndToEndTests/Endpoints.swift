import TestSupport
import Testing

/// One operation of the public interface, as the bad-input tests call it.
struct Operation: Sendable, CustomTestStringConvertible {
    let method: String
    /// `{id}` stands for an id.
    let path: String
    /// A body that is accepted; nil where none is read.
    var body: String?
    var needsToken = true
    /// Of the body.
    var mediaType = "application/json"

    var testDescription: String { "\(method) \(path)" }

    func target(id: String) -> String { path.replacing("{id}", with: id) }

    static let item = Preset(id: "11111111-2222-4333-8444-555555555555")
    private static let document = #"{"configuration":\#(item.json)}"#
    private static let batch = #"{"operations":[{"operation":"create","configuration":\#(item.json)}]}"#
    private static let credentials = #"{"email":"nobody@example.org","password":"wrong password"}"#

    static let all = [
        Operation(method: "POST", path: "/v2/auth/register", body: credentials, needsToken: false),
        Operation(method: "POST", path: "/v2/auth/login", body: credentials, needsToken: false),
        Operation(method: "POST", path: "/v2/auth/refresh"), Operation(method: "POST", path: "/v2/auth/logout"),
        Operation(method: "GET", path: "/v2/configurations"),
        Operation(method: "POST", path: "/v2/configurations", body: document),
        Operation(method: "POST", path: "/v2/configurations/batch", body: batch),
        Operation(method: "GET", path: "/v2/configurations/{id}"),
        Operation(method: "PUT", path: "/v2/configurations/{id}", body: document),
        Operation(
            method: "PATCH",
            path: "/v2/configurations/{id}",
            body: #"{"name":"Sunrise"}"#,
            mediaType: "application/merge-patch+json"
        ),
        Operation(method: "DELETE", path: "/v2/configurations/{id}"),
        Operation(method: "GET", path: "/v2/configurations/{id}/versions"),
        Operation(method: "GET", path: "/v2/configurations/{id}/versions/1"),
        Operation(method: "POST", path: "/v2/configurations/{id}/restore", body: #"{"version":1}"#),
        Operation(method: "GET", path: "/v2/configurations/{id}/conflicts"),
        Operation(method: "DELETE", path: "/v2/configurations/{id}/conflicts/" + String(repeating: "0a", count: 32)),
        Operation(method: "GET", path: "/v2/devices"),
        Operation(method: "PUT", path: "/v2/devices/camera", body: #"{"name":"Camera"}"#),
        Operation(method: "DELETE", path: "/v2/devices/camera"),
        Operation(method: "GET", path: "/healthz", needsToken: false),
        Operation(method: "GET", path: "/v2/healthz", needsToken: false),
        Operation(method: "GET", path: "/v2/version", needsToken: false),
        Operation(method: "GET", path: "/v2/openapi.json", needsToken: false),
        Operation(method: "GET", path: "/v2/schemas/login.json", needsToken: false),
        Operation(method: "GET", path: "/v2/problems", needsToken: false),
        Operation(method: "GET", path: "/v2/problems/not-found", needsToken: false),
    ]
    static let withBody = all.filter { $0.body != nil && $0.mediaType == "application/json" }
    static let withoutBody = all.filter { $0.body == nil }
    static let withToken = all.filter(\.needsToken)
    static let withID = all.filter { $0.path.contains("{id}") }
}
