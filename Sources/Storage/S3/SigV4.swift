import Glibc
import NeuroViewsCrypto

/// A request for AWS Signature Version 4. Nothing in it is percent-encoded.
struct SignableRequest: Sendable {
    typealias Field = (name: String, value: String)

    var method: String
    /// Begins with "/". It is signed unchanged: S3 does not normalise dots or double slashes.
    var path: String
    var query: [Field] = []
    /// The signed fields, with `host`. Names are in lower case and unique.
    var fields: [Field]
    /// The SHA-256 of the body in hexadecimal.
    var payload = "UNSIGNED-PAYLOAD"

    /// Path and query as sent.
    var target: String {
        let path = PercentEncoding.path(path)
        return query.isEmpty ? path : path + "?" + PercentEncoding.joined(query.map(PercentEncoding.parameter))
    }
}

/// AWS Signature Version 4, in a header field or in a URL's query.
struct SigV4: Sendable {
    let accessKey: String
    let secret: String
    let region: String
    var service = "s3"

    /// Returns the fields to send: those of the request, `x-amz-date` and `authorization`.
    func signed(_ request: SignableRequest, atS: Int) -> [SignableRequest.Field] {
        var request = request
        let time = SigningTime(unixS: atS)
        request.fields.append(("x-amz-date", time.text))
        let value =
            "AWS4-HMAC-SHA256 Credential=\(accessKey)/\(scope(time)), "
            + "SignedHeaders=\(signedNames(request)), Signature=\(signature(request, time))"
        return request.fields + [("authorization", value)]
    }

    /// Returns path and query of a URL that is valid for `expiresS` seconds, with the request's fields.
    func presignedTarget(_ request: SignableRequest, expiresS: Int, atS: Int) -> String {
        var request = request
        let time = SigningTime(unixS: atS)
        request.query += [
            ("X-Amz-Algorithm", "AWS4-HMAC-SHA256"),
            ("X-Amz-Credential", "\(accessKey)/\(scope(time))"),
            ("X-Amz-Date", time.text),
            ("X-Amz-Expires", String(expiresS)),
            ("X-Amz-SignedHeaders", signedNames(request)),
        ]
        return request.target + "&X-Amz-Signature=" + signature(request, time)
    }

    private func signature(_ request: SignableRequest, _ time: SigningTime) -> String {
        let text = "AWS4-HMAC-SHA256\n\(time.text)\n\(scope(time))\n" + hexDigest(of: canonicalText(request))
        var key = Array("AWS4\(secret)".utf8)
        for part in [String(time.day), region, service, "aws4_request"] {
            key = HMACSHA256(key: key).authenticate(Array(part.utf8))
        }
        return Hex.encode(HMACSHA256(key: key).authenticate(Array(text.utf8)))
    }

    private func canonicalText(_ request: SignableRequest) -> String {
        // Sort by name, then by value: as whole texts, "a=" would come after "a-b=".
        let query = request.query.map(PercentEncoding.parameter).sorted { $0 < $1 }
        let fields = sorted(request.fields).map { "\($0.name):\(Self.collapsed($0.value))\n" }
        return [
            request.method, PercentEncoding.path(request.path), PercentEncoding.joined(query), fields.joined(),
            signedNames(request), request.payload,
        ].joined(separator: "\n")
    }

    private func signedNames(_ request: SignableRequest) -> String {
        sorted(request.fields).map(\.name).joined(separator: ";")
    }

    private func sorted(_ fields: [SignableRequest.Field]) -> [SignableRequest.Field] {
        fields.sorted { $0.name < $1.name }
    }

    private func scope(_ time: SigningTime) -> String { "\(time.day)/\(region)/\(service)/aws4_request" }

    /// Collapses white space to one space and trims the ends: a content type may be a client's text.
    private static func collapsed(_ value: String) -> String {
        value.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
}

/// The SHA-256 of a text in hexadecimal.
func hexDigest(of text: String) -> String { Hex.encode(SHA256.hash(Array(text.utf8))) }

/// A time in the format of signatures: `20260301T120000Z`.
private struct SigningTime {
    let text: String
    var day: Substring { text.prefix(8) }

    init(unixS: Int) {
        var seconds = unixS
        var parts = tm()
        gmtime_r(&seconds, &parts)
        func two(_ value: Int32) -> String { value < 10 ? "0\(value)" : "\(value)" }
        let day = "\(parts.tm_year + 1900)\(two(parts.tm_mon + 1))\(two(parts.tm_mday))"
        text = "\(day)T\(two(parts.tm_hour))\(two(parts.tm_min))\(two(parts.tm_sec))Z"
    }
}
