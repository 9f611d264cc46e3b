import Testing

@testable import API

@Suite("Logged paths of requests")
struct RequestEventTests {
    private static let object = "d8cf1fe515d3284ceeea154b59c86508"

    @Test(
        "The proof in a URL of an upload or a download is not logged, also if the rest is malformed",
        arguments: ["/v2/uploads/", "/v2/downloads/", "//v2/uploads/", "/V2/UPLOADS/", "/v1/uploads/", "/v2//uploads/"]
    )
    func proofs(place: String) {
        for proof in [".22a531d6.q83fVhkMq0", "%2E22a531d6.q83fVhkMq0", "/22a531d6"] {
            #expect(logged(place + Self.object + proof) == place + Self.object)
        }
    }

    @Test("Paths without a proof are logged as received")
    func others() {
        for path in [
            "/v2/uploads", "/v2/configurations/\(Self.object)0", "/loads", "*", "", "/v2/recordings/1/upload-url",
        ] {
            #expect(logged(path) == path)
        }
    }

    private func logged(_ path: String) -> String {
        String(decoding: RequestEvent.withoutProof(Array(path.utf8)[...]), as: UTF8.self)
    }
}
