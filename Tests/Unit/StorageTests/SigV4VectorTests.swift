import Foundation
import TestSupport
import Testing

@testable import Storage

/// AWS' signing test suite has 38 cases with two signatures each, in a header field and in the query: 76. 60 apply.
///
/// | left out | signatures | reason |
/// | --- | --- | --- |
/// | `get-*-normalized` except `get-space-normalized` (6 cases) | 12 | S3 uses the path of the `-unnormalized` case |
/// | `get-header-key-duplicate`, `get-header-value-order` | 4 | a field that occurs several times is never sent |
@Suite("AWS Signature Version 4: public vectors", .needsPublicVectors)
struct SigV4VectorTests {
    private static let folder = "aws-sigv4/tests/aws-signing-test-suite/v4"
    private static let leftOut: Set = [
        "get-relative-normalized", "get-relative-relative-normalized", "get-slash-dot-slash-normalized",
        "get-slash-normalized", "get-slash-pointless-dot-normalized", "get-slashes-normalized",
        "get-header-key-duplicate", "get-header-value-order",
    ]

    @Test("Signatures of 60 of AWS's 76 test vectors are reproduced")
    func signatures() throws {
        var checked = 0
        for name in try SharedVectors.folders(in: Self.folder) where !Self.leftOut.contains(name) {
            let vector = try Vector("\(Self.folder)/\(name)")
            #expect(try vector.headerSignature() == vector.text("header-signature"), "\(name), header")
            #expect(try vector.querySignature() == vector.text("query-signature"), "\(name), query")
            checked += 2
        }
        #expect(checked == 60)
    }
}

/// One case of the suite.
private struct Vector {
    private let folder: String
    private let context: [String: Any]
    private var request: SignableRequest
    private let body: String

    init(_ folder: String) throws {
        self.folder = folder
        let data = Data(try SharedVectors.bytes(folder + "/context.json"))
        context = try #require(JSONSerialization.jsonObject(with: data) as? [String: Any])
        let text = String(decoding: try SharedVectors.bytes(folder + "/request.txt"), as: UTF8.self)
        let parts = text.components(separatedBy: "\n\n")
        body = parts.count > 1 ? parts[1] : ""
        // A line that begins with white space continues the previous line.
        let lines = parts[0].replacingOccurrences(of: "\n ", with: " ").split(separator: "\n")
        let first = try #require(lines.first).split(separator: " ").map(String.init)
        let target = first.dropFirst().dropLast().joined(separator: " ").components(separatedBy: "?")
        request = SignableRequest(
            method: first[0],
            path: target[0],
            query: target.count > 1 ? target[1].split(separator: "&").map(Self.parameter) : [],
            fields: lines.dropFirst().map(Self.field)
        )
        request.payload = hexDigest(of: body)
    }

    func text(_ name: String) throws -> String {
        String(decoding: try SharedVectors.bytes("\(folder)/\(name).txt"), as: UTF8.self)
    }

    func headerSignature() throws -> String? {
        var request = request
        if context["sign_body"] as? Bool == true { request.fields.append(("x-amz-content-sha256", request.payload)) }
        if let token = try signedToken() { request.fields.append(("x-amz-security-token", token)) }
        let authorization = try signer().signed(request, atS: timeS()).last { $0.name == "authorization" }
        return authorization?.value.components(separatedBy: "Signature=").last
    }

    func querySignature() throws -> String? {
        var request = request
        if let token = try signedToken() { request.query.append(("X-Amz-Security-Token", token)) }
        let expiresS = try #require(context["expiration_in_seconds"] as? Int)
        let target = try signer().presignedTarget(request, expiresS: expiresS, atS: timeS())
        return target.components(separatedBy: "X-Amz-Signature=").last
    }

    /// Nil also if the token must be added after signing.
    private func signedToken() throws -> String? {
        context["omit_session_token"] as? Bool == true ? nil : try credentials()["token"]
    }

    private func credentials() throws -> [String: String] { try #require(context["credentials"] as? [String: String]) }

    private func signer() throws -> SigV4 {
        let credentials = try credentials()
        return SigV4(
            accessKey: try #require(credentials["access_key_id"]),
            secret: try #require(credentials["secret_access_key"]),
            region: try #require(context["region"] as? String),
            service: try #require(context["service"] as? String)
        )
    }

    private func timeS() throws -> Int {
        let text = try #require(context["timestamp"] as? String)
        return Int(try Date(text, strategy: .iso8601).timeIntervalSince1970)
    }

    private static func parameter(_ text: Substring) -> SignableRequest.Field {
        let parts = text.components(separatedBy: "=").map { $0.removingPercentEncoding ?? $0 }
        return (parts[0], parts.count > 1 ? parts[1] : "")
    }

    private static func field(_ line: Substring) -> SignableRequest.Field {
        let parts = line.split(separator: ":", maxSplits: 1)
        return (parts[0].lowercased(), parts.count > 1 ? String(parts[1]) : "")
    }
}
