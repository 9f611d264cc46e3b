extension S3Storage {
    /// Stores an object, reads it by a presigned URL of the public endpoint, and deletes it. Returns nil on success,
    /// otherwise a sentence for the operator that names the setting to change.
    package func selfTest() async -> String? {
        guard let key = ObjectKey("self-test-\(UInt64.random(in: .min ... .max))") else { return nil }
        let content = Array("NeuroViews storage self-test \(key)".utf8)
        let url = presignedGet(key, expiresS: 60).url
        do {
            return try await pool.runStorage { examine(key, content, publicURL: url) }
        } catch {
            return "The storage could not be tested: \(error)."
        }
    }

    private func examine(_ key: ObjectKey, _ content: [UInt8], publicURL: String) -> String? {
        let fields = [("content-type", "text/plain")]
        do {
            _ = try exchange(S3Request(method: "PUT", path: path(key), fields: fields, body: content))
        } catch {
            return sentence(error, settings.endpoint, name: "endpoint")
        }
        let problem = examinePublic(publicURL, content)
        do {
            _ = try exchange(S3Request(method: "DELETE", path: path(key)))
        } catch {
            return problem ?? sentence(error, settings.endpoint, name: "endpoint")
        }
        return problem
    }

    private func examinePublic(_ url: String, _ content: [UInt8]) -> String? {
        let endpoint = settings.publicEndpoint
        do {
            let answer = try client.exchange(HTTPRequest(method: "GET", url: url))
            if answer.head.status == 200, answer.body == content { return nil }
            guard answer.head.status != 200 else { return Self.otherService(endpoint) }
            throw S3Refusal.error(answer.head.status, answer.body)
        } catch StorageError.missing, StorageError.refused(404, "", _) {
            return Self.otherService(endpoint)
        } catch {
            return sentence(error, endpoint, name: "public endpoint")
        }
    }

    private static func otherService(_ endpoint: S3Endpoint) -> String {
        "The public endpoint \(endpoint) does not show what was stored by the endpoint: it belongs to another service or bucket."
    }

    private func sentence(_ error: any Error, _ endpoint: S3Endpoint, name: String) -> String {
        let subject = "The S3 \(name) \(endpoint)"
        switch error {
        case StorageError.unavailable(let reason): return "\(subject) can't be reached: \(reason)."
        case StorageError.refused(let status, let code, let message):
            if status == 403, let skewS = clockSkewS(endpoint), abs(skewS) >= 300 || code == "RequestTimeTooSkewed" {
                return
                    "\(subject) rejects the time: this server's clock is \(abs(skewS)) s \(skewS > 0 ? "ahead" : "behind"). "
                    + "Synchronise the clocks."
            }
            return "\(subject) \(reason(status, code, message))"
        default: return "\(subject) failed: \(error)."
        }
    }

    private func reason(_ status: Int, _ code: String, _ message: String) -> String {
        switch code {
        case "NoSuchBucket": "has no bucket \"\(settings.bucket)\"."
        case "InvalidAccessKeyId": "does not know the access key \"\(settings.accessKey)\"."
        case "SignatureDoesNotMatch":
            "does not accept the signature: access key or secret are wrong, or a proxy changes the request's host."
        case "AuthorizationHeaderMalformed", "AuthorizationQueryParametersError":
            "does not accept the region \"\(settings.region)\": \(message)"
        case "AccessDenied": "does not let the access key use the bucket \"\(settings.bucket)\"."
        default: "returned \(status) \(code) \(message)."
        }
    }

    /// The lead of this server's clock over the service's, in seconds.
    private func clockSkewS(_ endpoint: S3Endpoint) -> Int? {
        let answer = try? client.exchange(HTTPRequest(method: "GET", url: endpoint.description + "/"))
        return answer?.head.dateS.map { nowS() - $0 }
    }
}
