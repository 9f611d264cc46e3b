import NeuroViewsRules

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The recordings that a list shall have. Everything that is set must fit.
public struct RecordingFilter: Hashable, Sendable {
    /// Recorded by this device.
    public var deviceID: String?
    /// Recorded at this time or later.
    public var from: Date?
    /// Recorded before this time.
    public var to: Date?
    /// With this codec.
    public var videoFormat: VideoFormat?
    /// With this tag, exactly.
    public var tag: String?
    /// At this place on its way.
    public var status: Recording.Status?
    /// The most recordings of a page, 1 to 1,000; nil for 100.
    public var limit: Int?

    /// A filter that leaves everything in.
    public init() {}

    /// The path of a page. Throws `.invalidArgument` for a time that the interface can't name.
    func path(before: String?) throws(ClientError) -> String {
        let values: [(String, String?)] = [
            ("device_id", deviceID), ("from", try Self.text(from, "from")), ("to", try Self.text(to, "to")),
            ("video_format", videoFormat?.rawValue), ("tag", tag), ("state", status?.rawValue),
            ("limit", limit.map { "\($0)" }), ("before", before),
        ]
        let query = values.compactMap { name, value in value.map { "\(name)=\($0.percentEncoded)" } }
        return "/recordings" + (query.isEmpty ? "" : "?" + query.joined(separator: "&"))
    }

    private static func text(_ date: Date?, _ name: String) throws(ClientError) -> String? {
        guard let date else { return nil }
        guard let time = Instant(within: date) else {
            throw .invalidArgument("\(name) must be a time within the years 0 to 9999.")
        }
        return time.text
    }
}
