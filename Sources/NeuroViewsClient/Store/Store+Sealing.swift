import NeuroViewsJSON

/// Encrypted values, and JSON in them.
extension Store {
    /// Encrypts a value for its place; NULL for nil.
    func seal(_ content: [UInt8]?, _ table: String, _ id: String, _ column: String) throws(ClientError) -> SQLValue {
        guard let content else { return .null }
        return .blob(try sealing.seal(content, table, id, column))
    }

    /// Decrypts a value from its place; nil for nil.
    func unseal(_ box: [UInt8]?, _ table: String, _ id: String, _ column: String) throws(ClientError) -> [UInt8]? {
        guard let box else { return nil }
        return try sealing.open(box, table, id, column)
    }

    /// Decrypts JSON from its place; nil for nil.
    func unsealJSON(_ box: [UInt8]?, _ table: String, _ id: String, _ column: String) throws(ClientError) -> JSON? {
        guard let text = try unseal(box, table, id, column) else { return nil }
        guard let json = try? JSONParser.parse(text, policy: .rfc8259) else {
            throw .store(.unreadable("\(table).\(column) is no JSON"))
        }
        return json
    }
}
