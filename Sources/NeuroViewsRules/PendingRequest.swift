/// The one write that has no answer yet. It is stored before it is sent, and repeated as it is.
package struct PendingRequest: Sendable, Equatable {
    private static let failuresMax: Int64 = 10
    static let batchPath = "/configurations/batch"

    /// The method.
    package var method: String
    /// The path below the interface's version.
    package var path: String
    /// The header fields that belong to the request, without those of the session.
    package var fields: [HeaderField]
    /// The body; empty for none.
    package var body: [UInt8]
    /// The items whose parts are in the request, in its order.
    package var ids: [String]
    /// Tries with an unknown result.
    package var failures: Int64 = 0

    /// Takes the stored values.
    package init(
        method: String,
        path: String,
        fields: [HeaderField],
        body: [UInt8],
        ids: [String],
        failures: Int64 = 0
    ) {
        (self.method, self.path, self.fields, self.body) = (method, path, fields, body)
        (self.ids, self.failures) = (ids, failures)
    }

    /// True if it has several items.
    package var isBatch: Bool { path == Self.batchPath }

    /// True if an unknown result of the next try may end the write, provided that the server answers another request.
    package var isNextTryLast: Bool { failures >= Self.failuresMax - 1 }

    /// What an answer of the server has.
    package var expectation: Expectation { isBatch ? .batch(ids: ids) : Expectation(method: method, path: path) }
}
