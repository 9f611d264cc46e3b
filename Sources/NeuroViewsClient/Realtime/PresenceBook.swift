#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The others' devices and streams, as the messages of a socket tell them.
struct PresenceBook {
    /// Far more than the server lets an account have.
    private static let entriesMax = 1000
    private static let offline = "offline"

    private var statuses: [String: JSONValue] = [:]
    private var streams: [UUID: OnlineStream] = [:]

    /// What the book has.
    var presence: Presence {
        var presence = Presence()
        presence.devices = statuses.map { OnlineDevice(id: $0.key, status: $0.value) }.sorted { $0.id < $1.id }
        presence.streams = streams.values.sorted(by: OnlineStream.isBefore)
        return presence
    }

    /// Notes what a message tells of another device. Returns false if it tells nothing of one.
    mutating func take(_ arrival: RealtimeArrival) -> Bool {
        switch arrival {
        case .status(let device, let status) where status["state"]?.string == Self.offline:
            statuses[device] = nil
            streams = streams.filter { $0.value.device != device }
        case .status(let device, let status):
            if statuses[device] != nil || statuses.count < Self.entriesMax { statuses[device] = status }
        case .streamStarted(let device, let id, let destinations):
            change(id, of: device) { $0.destinations = destinations }
        case .streamMetrics(let device, let id, let metrics): change(id, of: device) { $0.metrics = metrics }
        case .streamError(let device, let id, let error): change(id, of: device) { $0.error = error }
        case .streamStopped(let device, let id): if streams[id]?.device == device { streams[id] = nil }
        case .heads, .command, .refused: return false
        }
        return true
    }

    /// A stream begins with its first message, whichever that is. Nobody tells of another device's stream.
    private mutating func change(_ id: UUID, of device: String, _ body: (inout OnlineStream) -> Void) {
        var stream = streams[id] ?? OnlineStream(id: id, device: device)
        guard stream.device == device, streams[id] != nil || streams.count < Self.entriesMax else { return }
        body(&stream)
        streams[id] = stream
    }
}
