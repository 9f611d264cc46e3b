import NeuroViewsCrypto

/// A request that a client can send without the secret.
package struct PresignedRequest: Sendable, Equatable {
    /// The HTTP method.
    package let method: String
    /// The URL, at the public endpoint.
    package let url: String
    /// The fields, besides `host`, that must be sent with exactly these values.
    package let fields: [String: String]
}

extension S3Storage {
    /// An upload of one part, numbered from 1. The service rejects any other length, and any other type than a given
    /// one.
    package func presignedPart(
        _ key: ObjectKey,
        uploadID: String,
        number: Int,
        bytes: Int,
        contentType: String? = nil,
        expiresS: Int
    ) -> PresignedRequest {
        let query = [("partNumber", String(number)), ("uploadId", uploadID)]
        var fields = [("content-length", String(bytes))]
        if let contentType { fields.append(("content-type", contentType)) }
        return presigned("PUT", key, query: query, fields: fields, expiresS)
    }

    /// A download, or its HEAD: the service accepts a URL only with the method that was signed. The response has the given
    /// type and disposition instead of the stored ones.
    package func presignedGet(
        _ key: ObjectKey,
        isHead: Bool = false,
        contentType: String? = nil,
        contentDisposition: String? = nil,
        expiresS: Int
    ) -> PresignedRequest {
        var query: [SignableRequest.Field] = []
        if let contentDisposition { query.append(("response-content-disposition", contentDisposition)) }
        if let contentType { query.append(("response-content-type", contentType)) }
        return presigned(isHead ? "HEAD" : "GET", key, query: query, expiresS)
    }

    private func presigned(
        _ method: String,
        _ key: ObjectKey,
        query: [SignableRequest.Field] = [],
        fields: [SignableRequest.Field] = [],
        _ expiresS: Int
    ) -> PresignedRequest {
        let endpoint = settings.publicEndpoint
        let all = [("host", endpoint.host)] + fields
        let request = SignableRequest(method: method, path: path(key), query: query, fields: all)
        return PresignedRequest(
            method: method,
            url: endpoint.description + signer.presignedTarget(request, expiresS: expiresS, atS: nowS()),
            fields: Dictionary(fields.map { ($0.name, $0.value) }, uniquingKeysWith: { $1 })
        )
    }
}
