extension S3Storage {
    /// The fields of a page's uploads that a store must permit.
    private static let pageFields = ["content-type", "x-amz-checksum-sha256"]

    /// Asks the public endpoint what a browser asks before a page of `origin` sends or reads objects there (Fetch, 4.8).
    /// Returns the refused methods; none if pages may do both. Throws `StorageError`.
    package func methodsRefused(toPagesOf origin: String) async throws -> [String] {
        try await pool.runStorage { try ["PUT", "GET"].filter { try !self.permits($0, origin) } }
    }

    private func permits(_ method: String, _ origin: String) throws -> Bool {
        let fields = [
            (name: "origin", value: origin), (name: "access-control-request-method", value: method),
            (name: "access-control-request-headers", value: Self.pageFields.joined(separator: ",")),
        ]
        let url = "\(settings.publicEndpoint)/\(settings.bucket)/console-preflight"
        let head = try client.exchange(HTTPRequest(method: "OPTIONS", url: url, fields: fields)).head
        return (200...299).contains(head.status) && head.permits(method, Self.pageFields, toPagesOf: origin)
    }
}

extension HTTPHead {
    fileprivate func permits(_ method: String, _ fields: [String], toPagesOf origin: String) -> Bool {
        guard allowedOrigin == origin || allowedOrigin == "*" else { return false }
        let (methods, named) = (Self.list(allowedMethods), Self.list(allowedFields))
        return (methods.contains(method.lowercased()) || methods.contains("*"))
            && fields.allSatisfy { named.contains($0) || named.contains("*") }
    }

    private static func list(_ value: String?) -> Set<String> {
        Set((value ?? "").lowercased().split(separator: ",").map { String($0.filter { $0 != " " && $0 != "\t" }) })
    }
}
