/// The limits of an upload, as clients get them.
package struct UploadLimits: Sendable, Hashable {
    /// The largest file, in bytes; nil when unlimited.
    package var maxBytes: Int?
    /// The time in which the upload can still be continued, in seconds; nil when unknown.
    package var lifetimeSeconds: Int?

    /// These limits.
    package init(maxBytes: Int? = nil, lifetimeSeconds: Int? = nil) {
        self.maxBytes = maxBytes
        self.lifetimeSeconds = lifetimeSeconds
    }

    func check(_ bytes: Int?) throws(UploadRefusal) {
        if let maxBytes, let bytes, bytes > maxBytes { throw .tooLarge(maxBytes: maxBytes) }
    }

    /// The value of Upload-Limit; nil when there is no limit. `expires` was renamed `max-age` in draft -06.
    func value(in dialect: UploadDialect) -> String? {
        guard dialect != .interop3 else { return nil }
        let size = maxBytes.map { "max-size=\($0)" }
        let lifetime = lifetimeSeconds.map { "\(dialect == .interop6 ? "expires" : "max-age")=\(max(0, $0))" }
        let members = [size, lifetime].compactMap(\.self)
        return members.isEmpty ? nil : members.joined(separator: ", ")
    }
}
