import NeuroViewsJSON

/// The one outcome of a command.
public struct CommandOutcome: Hashable, Sendable {
    /// How it ended. A newer server may have more words.
    public struct Status: RawRepresentable, Hashable, Sendable {
        /// The word of the interface.
        public let rawValue: String
        /// Takes a word.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The device has done it.
        public static let done = Status(rawValue: "done")
        /// The device could not do it.
        public static let failed = Status(rawValue: "failed")
        /// The device will not do it.
        public static let refused = Status(rawValue: "refused")
        /// The device has got it, and can't answer.
        public static let delivered = Status(rawValue: "delivered")
        /// The device is not connected: nothing was sent.
        public static let unreachable = Status(rawValue: "unreachable")
        /// The device has not answered in time: it may have done it.
        public static let timeout = Status(rawValue: "timeout")
    }

    /// How it ended.
    public let status: Status
    /// What the device returned.
    public let result: JSONValue?
    /// The reason of a failure.
    public let error: JSONValue?

    /// Reads an answer; nil if it is not as the OpenAPI document has it.
    init?(_ json: JSON) {
        guard let status = json["status"]?.string else { return nil }
        self.status = Status(rawValue: status)
        (result, error) = (json["result"].map { JSONValue($0) }, json["error"].map { JSONValue($0) })
    }
}
