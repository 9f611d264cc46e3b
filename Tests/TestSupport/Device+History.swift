extension Device {
    /// Lists an item's versions.
    package func versions(_ id: String, _ query: String = "") throws -> HTTPAnswer {
        try send("GET", "/v2/configurations/\(id)/versions" + (query.isEmpty ? "" : "?\(query)"))
    }

    /// Reads a version.
    package func version(_ version: Int, of id: String, _ fields: APIClient.Fields = []) throws -> HTTPAnswer {
        try send("GET", "/v2/configurations/\(id)/versions/\(version)", fields)
    }

    /// Restores the version with that number.
    package func restore(_ version: Int, of id: String, _ fields: APIClient.Fields = []) throws -> HTTPAnswer {
        try restore(tag: tag(version, of: id), of: id, fields)
    }

    /// Restores the version with that tag.
    package func restore(tag: String, of id: String, _ fields: APIClient.Fields = []) throws -> HTTPAnswer {
        try send("POST", "/v2/configurations/\(id)/restore", fields, body: #"{"version":"\#(tag)"}"#)
    }

    /// Lists the losing documents of conflicts.
    package func conflicts(_ id: String, _ query: String = "") throws -> HTTPAnswer {
        try send("GET", "/v2/configurations/\(id)/conflicts" + (query.isEmpty ? "" : "?\(query)"))
    }
}

extension HTTPAnswer {
    /// The objects of an array.
    package func objects(_ name: String) -> [[String: Any]] { json[name] as? [[String: Any]] ?? [] }

    /// The values of one member in all objects of an array.
    package func members<Value>(_ member: String, of name: String) -> [Value] {
        objects(name).compactMap { $0[member] as? Value }
    }
}
