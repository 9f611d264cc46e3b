import Crypto
import Net

/// Objects in a bucket of an S3-compatible service, addressed by path and signed with AWS Signature Version 4.
///
/// A request waits 10 s for a connection and 30 s for an answer, completing an upload 10 minutes; a body needs 16 KiB/s. While it waits it has a thread of the pool.
public struct S3Storage: Sendable {
    let settings: S3Settings
    let signer: SigV4
    let client: HTTPClient
    let pool: StoragePool
    let nowS: @Sendable () -> Int
    /// How many objects or parts are asked for at a time; a test takes fewer.
    var pageMax = 1000

    /// `nowS` returns Unix seconds; every signature has the time of its call. `report` gets each error.
    public init(
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

    /// Breaks off all requests, so that the pool's threads can end.
    public func stop() { client.stop() }

    func path(_ key: ObjectKey) -> String { "/\(settings.bucket)/\(key)" }
}

/// What is asked of the service.
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
    /// Sends a request and returns the answer of a success. Blocks. Throws `StorageError`.
    func exchange(_ request: S3Request) throws -> (head: HTTPHead, body: [UInt8]) {
        let answer = try client.exchange(signed(request))
        guard (200..<300).contains(answer.head.status) else {
            throw S3Refusal.error(answer.head.status, answer.body, isHead: request.method == "HEAD")
        }
        return answer
    }

    /// The same, for an answer that is an XML document; also a document named `Error` in a success is a refusal.
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

/// Errors as the service sends them.
enum S3Refusal {
    static func error(_ status: Int, _ body: [UInt8], isHead: Bool = false) -> StorageError {
        let document = XMLElement(body)
        let code = document?["Code"] ?? ""
        // HEAD has no body to name the code. Any other 404 without one is a proxy's, which knows nothing of objects.
        if ["NoSuchKey", "NoSuchUpload"].contains(code) || (isHead && status == 404) { return .missing }
        return .refused(status: status, code: code, message: document?["Message"] ?? "")
    }
}
