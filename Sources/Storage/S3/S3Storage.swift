import Net
import NeuroViewsCrypto

/// Objects in a bucket of an S3-compatible service, addressed by path and signed with AWS Signature Version 4.
///
/// A request waits at most 10 s for a connection and 30 s for a response (10 minutes to complete an upload). A body
/// needs at least 16 KiB/s. A waiting request occupies a pool thread.
package struct S3Storage: Sendable {
    let settings: S3Settings
    let signer: SigV4
    let client: HTTPClient
    let pool: StoragePool
    let nowS: @Sendable () -> Int
    /// The number of objects or parts in one listing; tests use fewer.
    var pageMax = 1000

    /// `nowS` returns Unix seconds for the signatures. `report` gets each error.
    package init(
        _ settings: S3Settings,
        pool: BlockingPool,
        nowS: @escaping @Sendable () -> Int,
        report: @escaping @Sendable (StorageError) -> Void = { _ in }
    ) {
        self.settings = settings
        self.pool = StoragePool(threads: pool, report: report)
        self.nowS = nowS
        signer = SigV4(accessKey: settings.accessKey, secret: settings.secret, region: settings.region)
        client = HTTPClient(caFile: settings.caFile)
    }

    /// Aborts all requests, so the pool's threads can end.
    package func stop() { client.stop() }

    func path(_ key: ObjectKey) -> String { "/\(settings.bucket)/\(key)" }
}

/// A request to the service.
struct S3Request: Sendable {
    var method: String
    /// Begins with "/" and the bucket.
    var path: String
    var query: [SignableRequest.Field] = []
    var fields: [SignableRequest.Field] = []
    var body: [UInt8] = []
    var headLimitMs = 30_000
}

extension S3Storage {
    /// Sends a request and returns a successful response. Blocks. Throws `StorageError`.
    func exchange(_ request: S3Request) throws -> (head: HTTPHead, body: [UInt8]) {
        let answer = try client.exchange(signed(request))
        guard (200..<300).contains(answer.head.status) else {
            throw S3Refusal.error(answer.head.status, answer.body, isHead: request.method == "HEAD")
        }
        return answer
    }

    /// The same, for an XML response. A document named `Error` with a success status is also an error.
    func document(_ request: S3Request) throws -> XMLElement {
        let answer = try exchange(request)
        guard let root = XMLElement(answer.body) else {
            throw StorageError.unavailable("the answer is no XML document")
        }
        guard root.name != "Error" else { throw S3Refusal.error(answer.head.status, answer.body) }
        return root
    }

    func signed(_ request: S3Request) -> HTTPRequest {
        let payload = Hex.encode(SHA256.hash(request.body))
        let own = [("host", settings.endpoint.host), ("x-amz-content-sha256", payload)]
        let signable = SignableRequest(
            method: request.method,
            path: request.path,
            query: request.query,
            fields: own + request.fields,
            payload: payload
        )
        return HTTPRequest(
            method: request.method,
            url: settings.endpoint.description + signable.target,
            fields: signer.signed(signable, atS: nowS()),
            body: request.body,
            headLimitMs: request.headLimitMs
        )
    }
}

/// The service's error responses.
enum S3Refusal {
    static func error(_ status: Int, _ body: [UInt8], isHead: Bool = false) -> StorageError {
        let document = XMLElement(body)
        let code = document?["Code"] ?? ""
        // A HEAD response has no body with a code. Any other 404 without a code is from a proxy, which knows no
        // objects.
        if ["NoSuchKey", "NoSuchUpload"].contains(code) || (isHead && status == 404) { return .missing }
        return .refused(status: status, code: code, message: document?["Message"] ?? "")
    }
}
