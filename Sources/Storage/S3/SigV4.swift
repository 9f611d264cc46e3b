import Crypto
import Glibc

/// A request as AWS Signature Version 4 sees it. Nothing in it is percent-encoded.
struct SignableRequest: Sendable {
    typealias Field = (name: String, value: String)

    var method: String
    /// Begins with "/". It is signed as it is: S3 removes no dots and no double slashes.
    var path: String
    var query: [Field] = []
    /// The fields that are signed, `host` among them; names are in lower case, each once.
    var fields: [Field]
    /// The SHA-256 of the body in hexadecimal.
    var payload = "UNSIGNED-PAYLOAD"

    /// Path and query as they are sent.
    var target: String {
        let path = PercentEncoding.path(path)
        return query.isEmpty ? path : path + "?" + PercentEncoding.joined(query.map(PercentEncoding.parameter))
    }
}

/// AWS Signature Version 4, in a header field or in the query of a URL.
struct SigV4: Sendable {
    let accessKey: String
    let secret: String
    let region: String
    var service = "s3"

    /// The fields to send: those of the request, `x-amz-date` and `authorization`.
    func signed(_ request: SignableRequest, atS: Int) -> [SignableRequest.Field] {
        var request = request
        let time = SigningTime(unixS: atS)
        request.fields.append(("x-amz-date", time.text))
        let value =
            "AWS4-HMAC-SHA256 Credential=\(accessKey)/\(scope(time)), "
            + "SignedHeaders=\(signedNames(request)), Signature=\(signature(request, time))"
        return request.fields + [("authorization", value)]
    }

    /// Path and query of a URL that is good for `expiresS` seconds, with the request's fields.
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
        // By name and then by value: sorted as whole texts, "a=" would follow "a-b=".
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

    /// Runs of white space count as one space, none at the ends: a client may have named the content type.
    private static func collapsed(_ value: String) -> String {
        value.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
}

/// The SHA-256 of a text in hexadecimal.
func hexDigest(of text: String) -> String { Hex.encode(SHA256.hash(Array(text.utf8))) }

/// A time as signatures contain it: `20260301T120000Z`.
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
