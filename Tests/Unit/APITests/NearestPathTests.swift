import Testing

@testable import API

@Suite("The nearest path")
struct NearestPathTests {
    private static let paths = NearestPath([
        "/v2/auth/login", "/v2/auth/logout", "/v2/analytics/events", "/v2/account/events", "/v2/analytics/usage",
        "/v2/configurations", "/v2/configurations", "/v2/configurations/batch", "/v2/configurations/{id}",
        "/v2/configurations/{id}/versions/{version}", "/v2/recordings", "/v2/recordings/{id}/upload-url", "/healthz",
        "/v2/healthz",
    ])

    private static func detail(_ path: String) -> String { paths.detail(for: Array(path.utf8)[...]) }

    @Test(
        "A mistyped path gets the nearest one",
        arguments: [
            ("/v2/recording", "/v2/recordings"), ("/v2/recordings/", "/v2/recordings"),
            ("/v2//recordings", "/v2/recordings"), ("/V2/Recordings", "/v2/recordings"),
            ("/v1/recordings", "/v2/recordings"), ("/recordings", "/v2/recordings"),
            ("/api/v2/recordings", "/v2/recordings"), ("/v2/v2/recordings", "/v2/recordings"),
            ("/v2/recordings/7/upload_url", "/v2/recordings/{id}/upload-url"),
            ("/v2/configuration/7/version/3", "/v2/configurations/{id}/versions/{version}"),
            ("/v2/configurations/batch/", "/v2/configurations/batch"),
            ("/v2/configurations/7/", "/v2/configurations/{id}"),
            ("/v2/login", "/v2/auth/login"), ("/v2/usage", "/v2/analytics/usage"), ("/healtz", "/v2/healthz"),
        ]
    )
    func near(path: String, nearest: String) {
        #expect(Self.detail(path) == "There is no such path. The nearest one is \(nearest).")
    }

    @Test(
        "A path that is near to none or to several gets the list of all",
        arguments: [
            "/", "/v2", "/v2/", "/v2/auth", "/v2/events", "/favicon.ico", "/v2/configurations/7/versions/1/x",
            "/v2/x/y/z",
            String(repeating: "/a", count: 8000), "/v2/" + String(repeating: "a", count: 8000), "*",
        ]
    )
    func far(path: String) {
        #expect(Self.detail(path) == "There is no such path. /v2/openapi.json lists all.")
    }
}
