extension Device {
    /// Requests the changes after a cursor (`sync_token=…` or `last_sync=…`), with more parameters; all items if
    /// `query` is empty.
    package func pull(_ query: String = "", _ fields: APIClient.Fields = []) throws -> HTTPAnswer {
        try send("GET", "/v2/configurations" + (query.isEmpty ? "" : "?\(query)"), fields)
    }

    /// Creates an item.
    package func post(_ document: String, _ fields: APIClient.Fields = []) throws -> HTTPAnswer {
        try send("POST", "/v2/configurations", fields, body: #"{"configuration":\#(document)}"#)
    }

    /// Replaces an item.
    package func put(_ id: String, _ document: String, _ fields: APIClient.Fields = []) throws -> HTTPAnswer {
        try send("PUT", "/v2/configurations/\(id)", fields, body: #"{"configuration":\#(document)}"#)
    }

    /// Changes an item by a JSON Merge Patch.
    package func patch(_ id: String, _ patch: String, _ fields: APIClient.Fields = []) throws -> HTTPAnswer {
        let type = [("Content-Type", "application/merge-patch+json")]
        let isTyped = fields.contains { $0.0.lowercased() == "content-type" }
        return try send("PATCH", "/v2/configurations/\(id)", (isTyped ? [] : type) + fields, body: patch)
    }

    /// Deletes an item.
    package func delete(_ id: String, _ fields: APIClient.Fields = []) throws -> HTTPAnswer {
        try send("DELETE", "/v2/configurations/\(id)", fields)
    }

    /// Reads an item.
    package func get(_ id: String, _ fields: APIClient.Fields = []) throws -> HTTPAnswer {
        try send("GET", "/v2/configurations/\(id)", fields)
    }
}
