import NeuroViewsJSON

/// The room that the account has, and how much of it is used.
public struct Quotas: Hashable, Sendable {
    /// All quotas, also those that this version of the library does not know.
    public let all: [Quota]

    /// Reads an answer; nil if it is not as the OpenAPI document has it.
    init?(_ json: JSON) {
        guard let all = json.all("quotas", { Quota($0) }) else { return nil }
        self.all = all
    }

    /// The quota of that kind; of a collection, such as `configurations`, for those that each collection has.
    public subscript(kind: Quota.Kind, collection: String? = nil) -> Quota? {
        all.first { $0.kind == kind && $0.collection == collection }
    }
}

/// One limit of the account. A write that would go beyond it is refused with `quota-exceeded`.
public struct Quota: Hashable, Sendable {
    /// The thing that is counted. A newer server may have more kinds.
    public struct Kind: RawRepresentable, Hashable, Sendable {
        /// The name in the interface.
        public let rawValue: String
        /// Takes a name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Items of a collection.
        public static let items = Kind(rawValue: "items")
        /// Deleted items of a collection, of which something is kept for the account's life.
        public static let tombstones = Kind(rawValue: "tombstones")
        /// Bytes of older versions.
        public static let historyBytes = Kind(rawValue: "history_bytes")
        /// Bytes of the files of recordings, with their thumbnails.
        public static let recordingBytes = Kind(rawValue: "recording_bytes")
        /// Uploads that are not completed.
        public static let openUploads = Kind(rawValue: "open_uploads")
        /// Events of analytics.
        public static let events = Kind(rawValue: "events")
        /// Devices.
        public static let devices = Kind(rawValue: "devices")
    }

    /// The thing that is counted.
    public let kind: Kind
    /// The items that are counted, `configurations` or `recordings`; nil for things without a collection.
    public let collection: String?
    /// The amount in use.
    public let used: Int64
    /// The amount that uploads under way have reserved.
    public let reserved: Int64
    /// The largest amount; nil if it is unlimited.
    public let limit: Int64?
    /// The entry as the server sent it.
    public let json: JSONValue

    /// Reads an entry; nil if it is not as the OpenAPI document has it.
    init?(_ json: JSON) {
        guard let kind = json["quota"]?.string, let used = json["used"]?.number?.int64,
            let reserved = json["reserved"]?.number?.int64, let limit = json["limit"]
        else { return nil }
        self.kind = Kind(rawValue: kind)
        (collection, self.used, self.reserved) = (json["collection"]?.string, used, reserved)
        self.limit = limit.number?.int64
        self.json = JSONValue(json)
    }
}
