#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What this device tells of a stream. The id is the stream's `session_id`.
public enum StreamReport: Hashable, Sendable {
    /// It has begun, or goes to other destinations now: at most 16. Their `stream_key` and `auth_token` do not leave the device.
    case started(UUID, destinations: [JSONValue.Object])
    /// The newest figures. A stream of which nothing is told for a minute is over for the others.
    case metrics(UUID, JSONValue.Object)
    /// The newest error. The stream may go on.
    case failed(UUID, JSONValue)
    /// It has ended.
    case stopped(UUID)
}
