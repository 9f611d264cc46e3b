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

    /// The path of a page.
    func path(before: String?) -> String {
        let values: [(String, String?)] = [
            ("device_id", deviceID), ("from", from.map { Instant($0).text }), ("to", to.map { Instant($0).text }),
            ("video_format", videoFormat?.rawValue), ("tag", tag), ("state", status?.rawValue),
            ("limit", limit.map { "\($0)" }), ("before", before),
        ]
        let query = values.compactMap { name, value in value.map { "\(name)=\($0.percentEncoded)" } }
        return "/recordings" + (query.isEmpty ? "" : "?" + query.joined(separator: "&"))
    }
}
