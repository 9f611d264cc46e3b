import Foundation
import Net
import TestSupport
import Testing

@testable import Storage

@Suite("Presigned URLs compared with botocore's", .inFull, .blocking, .timeLimit(.minutes(Patience.minutes(2))))
struct PresignedURLTests {
    @Test("Presigned URLs of 1,000 random object keys equal botocore's", .needs(.python))
    func objects() throws {
        var random = SeededRandom(seed: 11)
        let pool = try BlockingPool(threads: 1, queueMax: 1)
        let cases = try (0..<1000).map { _ in try URLCase(&random, keyLetters: "abcXYZ019-_./") }
        try check(cases, ours: cases.map { try $0.ofStorage(pool) })
        pool.stop()
    }

    @Test("Presigned URLs of 1,000 keys with any characters equal botocore's", .needs(.python))
    func anyCharacters() throws {
        var random = SeededRandom(seed: 12)
        let letters = "aZ09 -_.~!*'()&=+$,/:;?@#[]{}|\\^\"<>%äß漢字😀\u{301}"
        let cases = try (0..<1000).map { _ in try URLCase(&random, keyLetters: letters) }
        try check(cases, ours: cases.map(\.ofSigner))
    }

    private func check(_ cases: [URLCase], ours: [String]) throws {
        let lines = try cases.map { String(decoding: try $0.json(), as: UTF8.self) }
        let program = [Tool.interpreter, Tool.script("presigned-urls")]
        let run = try Program.run(program, input: lines.joined(separator: "\n"), seconds: 60)
        #expect(run.status == 0, "\(run.complaint)")
        let theirs = run.output.split(separator: "\n").map(String.init)
        try #require(theirs.count == cases.count)
        for (ours, theirs) in zip(ours, theirs) { #expect(ours == theirs) }
    }
}

/// A presigned request with random values.
private struct URLCase {
    private let kind: String
    private let key: String
    private let settings: S3Settings
    private let nowS: Int
    private let expiresS: Int
    private let bytes: Int
    private let contentType: String
    private let disposition: String?
    private let sha256: [UInt8]?
    private let uploadID: String
    private let part: Int

    init(_ random: inout SeededRandom, keyLetters: String) throws {
        func text(_ letters: String, _ count: ClosedRange<Int>) -> String {
            String(
                (0..<Int.random(in: count, using: &random)).compactMap { _ in letters.randomElement(using: &random) }
            )
        }
        kind = ["GET", "PUT", "PART"].randomElement(using: &random) ?? ""
        // Neither the key nor one of its segments may begin with a dot.
        key = "k" + text(keyLetters, 0...40).split(whereSeparator: { "/.".contains($0) }).joined(separator: "/x.")
        let number = Int.random(in: 0..<8, using: &random)
        let endpoint = ["https://s3.example.org", "http://127.0.0.1:9000", "https://s3.example.org:8443"][number % 3]
        settings = S3Settings(
            endpoint: try #require(S3Endpoint(endpoint)),
            region: ["us-east-1", "eu-central-1"][number % 2],
            bucket: "bucket-\(number)",
            accessKey: "access:\(number)",
            secret: "s3cret/+\(number)"
        )
        nowS = Int.random(in: 946_684_800...4_102_444_800, using: &random)
        expiresS = Int.random(in: 1...604_800, using: &random)
        bytes = Int.random(in: 0...(5 << 30), using: &random)
        contentType = "video/" + text("abc-+.", 1...9) + [";  codecs=\"hvc1\"", ""][number % 2]
        disposition = Bool.random(using: &random) ? "attachment; filename=\"\(text("aä 漢&=+%/", 1...20))\"" : nil
        sha256 = Bool.random(using: &random) ? (0..<32).map { _ in UInt8.random(in: 0...255, using: &random) } : nil
        uploadID = text("abcXYZ019-_./+= ", 1...60)
        part = Int.random(in: 1...10_000, using: &random)
    }

    /// The URL from the storage's functions.
    func ofStorage(_ pool: BlockingPool) throws -> String {
        let s3 = S3Storage(settings, pool: pool) { [nowS] in nowS }
        let key = try #require(ObjectKey(key))
        return switch kind {
        case "GET":
            s3.presignedGet(key, contentType: contentType, contentDisposition: disposition, expiresS: expiresS).url
        // Only the signer makes such requests.
        case "PUT": ofSigner
        default:
            s3.presignedPart(key, uploadID: uploadID, number: part, bytes: bytes, expiresS: expiresS).url
        }
    }

    /// The URL from the signer, which accepts any key.
    var ofSigner: String {
        let host = ("host", settings.endpoint.host)
        var request = SignableRequest(method: kind, path: "/\(settings.bucket)/\(key)", fields: [host])
        switch kind {
        case "GET":
            if let disposition { request.query.append(("response-content-disposition", disposition)) }
            request.query.append(("response-content-type", contentType))
        case "PUT":
            request.fields += [("content-type", contentType), ("content-length", String(bytes))]
            if let sha256 { request.fields.append(("x-amz-checksum-sha256", Data(sha256).base64EncodedString())) }
        default:
            request.method = "PUT"
            request.query = [("partNumber", String(part)), ("uploadId", uploadID)]
            request.fields.append(("content-length", String(bytes)))
        }
        let signer = SigV4(accessKey: settings.accessKey, secret: settings.secret, region: settings.region)
        return settings.endpoint.description + signer.presignedTarget(request, expiresS: expiresS, atS: nowS)
    }

    /// The format that Tests/Support/presigned-urls reads. It is sorted, because the URL has its parameters in this
    /// order.
    func json() throws -> Data {
        var parameters: [String: Any] = ["Bucket": settings.bucket, "Key": key]
        switch kind {
        case "GET":
            parameters["ResponseContentDisposition"] = disposition
            parameters["ResponseContentType"] = contentType
        case "PUT":
            parameters["ContentType"] = contentType
            parameters["ContentLength"] = bytes
            parameters["ChecksumSHA256"] = sha256.map { Data($0).base64EncodedString() }
        default:
            parameters["PartNumber"] = part
            parameters["UploadId"] = uploadID
            parameters["ContentLength"] = bytes
        }
        let object: [String: Any] = [
            "kind": kind, "parameters": parameters, "accessKey": settings.accessKey, "secret": settings.secret,
            "region": settings.region, "endpoint": settings.endpoint.description, "nowS": nowS, "expiresS": expiresS,
        ]
        return try JSONSerialization.data(withJSONObject: object, options: [.sortedKeys])
    }
}
