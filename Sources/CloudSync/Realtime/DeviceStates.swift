import NeuroViewsJSON

/// The states of one device: its status and its streams.
struct DeviceStates: Sendable, Equatable {
    /// A device's row has a limit, so that a reader of many rows has one.
    static let bytesMax = 16 << 10
    private static let streamsMax = 4
    private static let commandsMax = 64

    /// The data of the last `device_status`.
    private(set) var status: [UInt8]?
    /// The commands that it names; nil if it names none.
    private(set) var accepts: [String]?
    /// In the order of their ids.
    private(set) var streams: [RealtimeStream] = []

    init() {}

    /// The names of commands in a list of texts. Nil for anything else: clients may give it a meaning of their own.
    static func commands(in value: JSONValue?) -> [String]? {
        guard let values = value?.array else { return nil }
        let names = values.compactMap(\.string)
        return names.count == values.count ? Array(names.prefix(commandsMax)) : nil
    }

    var byteCount: Int {
        var count = status?.count ?? 0
        for place in streams.indices { count += streams[place].byteCount }
        return count
    }

    func stream(_ id: String) -> RealtimeStream? { place(of: id).map { streams[$0] } }

    private func place(of id: String) -> Int? {
        for place in streams.indices where streams[place].sessionID == id { return place }
        return nil
    }

    /// Takes an event of the device. Returns the keys that changed.
    mutating func take(_ event: RealtimeEvent, of device: String, nowMs: UInt64) -> [StateKey] {
        switch event.kind {
        case .deviceStatus(_, let accepts):
            (status, self.accepts) = (event.data, accepts)
            return [.status(device)]
        case .streamingStarted(let id):
            return change(id, .stream(device, id), of: device, nowMs) { stream in
                stream.started = event.data
                (stream.metrics, stream.error) = (nil, nil)
            }
        case .streamingMetrics(let id):
            return change(id, .metrics(device, id), of: device, nowMs) { $0.metrics = event.data }
        case .streamingError(let id):
            return change(id, .error(device, id), of: device, nowMs) { $0.error = event.data }
        case .streamingStopped(let id):
            streams.removeAll { $0.sessionID == id }
            return [.stream(device, id)]
        }
    }

    /// Ends the streams without a message since then. Returns their keys.
    mutating func endStreams(silentSinceMs limitMs: UInt64, of device: String) -> [StateKey] {
        let silent = streams.filter { $0.touchedMs < limitMs }
        guard !silent.isEmpty else { return [] }
        streams.removeAll { $0.touchedMs < limitMs }
        return silent.map { .stream(device, $0.sessionID) }
    }

    /// Lets the silence of all streams begin now.
    mutating func touchStreams(nowMs: UInt64) {
        for place in streams.indices { streams[place].touchedMs = nowMs }
    }

    /// Makes room for a new stream by ending the one that has been silent longest. Returns `key`, after that of an ended stream.
    private mutating func change(
        _ id: String,
        _ key: StateKey,
        of device: String,
        _ nowMs: UInt64,
        _ body: (inout RealtimeStream) -> Void
    ) -> [StateKey] {
        var keys: [StateKey] = []
        if place(of: id) == nil {
            if streams.count >= Self.streamsMax, let oldest = streams.min(by: { $0.touchedMs < $1.touchedMs }) {
                streams.removeAll { $0.sessionID == oldest.sessionID }
                keys.append(.stream(device, oldest.sessionID))
            }
            let index = streams.firstIndex { $0.sessionID > id } ?? streams.endIndex
            streams.insert(RealtimeStream(sessionID: id), at: index)
        }
        if let place = place(of: id) {
            body(&streams[place])
            streams[place].touchedMs = nowMs
        }
        keys.append(key)
        return keys
    }

    /// The keys of all that is there, in the order in which a new socket gets them.
    func keys(of device: String) -> [StateKey] {
        var keys: [StateKey] = status == nil ? [] : [.status(device)]
        for stream in streams {
            if stream.started != nil { keys.append(.stream(device, stream.sessionID)) }
            if stream.metrics != nil { keys.append(.metrics(device, stream.sessionID)) }
            if stream.error != nil { keys.append(.error(device, stream.sessionID)) }
        }
        return keys
    }

    /// The keys that differ between two states of a device; nil: it was not, or is no longer there.
    static func changes(from old: DeviceStates?, to new: DeviceStates?, of device: String) -> [StateKey] {
        var keys: [StateKey] = old?.status == new?.status ? [] : [.status(device)]
        let ids = Set((old?.streams ?? []).map(\.sessionID)).union((new?.streams ?? []).map(\.sessionID))
        for id in ids.sorted() {
            let (before, after) = (old?.stream(id), new?.stream(id))
            let isOther = before?.started != after?.started || (before == nil) != (after == nil)
            if isOther { keys.append(.stream(device, id)) }
            if after?.metrics != nil, before?.metrics != after?.metrics { keys.append(.metrics(device, id)) }
            if after?.error != nil, before?.error != after?.error { keys.append(.error(device, id)) }
        }
        return keys
    }
}

/// The text in a device's row, for the account's other servers.
extension DeviceStates {
    /// Nil: the device is connected and has no states.
    var rowText: [UInt8]? {
        guard status != nil || !streams.isEmpty else { return nil }
        var writer = JSONWriter(reservingBytes: byteCount + 64)
        writer.beginObject()
        if let status { writer.member("status", raw: status) }
        if !streams.isEmpty {
            writer.member("streams")
            writer.beginArray()
            for stream in streams { Self.write(stream, &writer) }
            writer.endArray()
        }
        writer.endObject()
        return writer.bytes
    }

    private static func write(_ stream: RealtimeStream, _ writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("id", string: stream.sessionID)
        if let started = stream.started { writer.member("started", raw: started) }
        if let metrics = stream.metrics { writer.member("metrics", raw: metrics) }
        if let error = stream.error { writer.member("error", raw: error) }
        writer.endObject()
    }

    /// Reads the text of another server.
    init(rowText text: [UInt8]?) {
        guard let text else { return }
        status = Self.member("status", of: text[...])
        accepts = status.flatMap { Self.acceptedCommands(inStatus: $0) }
        guard let list = JSONText.range(ofMember: "streams", in: text[...]) else { return }
        streams = JSONText.ranges(ofElementsIn: text[list]).compactMap { range in
            let part = text[range]
            guard let id = JSONText.range(ofMember: "id", in: part) else { return nil }
            var stream = RealtimeStream(sessionID: String(decoding: text[id].dropFirst().dropLast(), as: UTF8.self))
            stream.started = Self.member("started", of: part)
            stream.metrics = Self.member("metrics", of: part)
            stream.error = Self.member("error", of: part)
            return stream
        }
        streams.sort { $0.sessionID < $1.sessionID }
    }

    private static func member(_ name: String, of text: ArraySlice<UInt8>) -> [UInt8]? {
        JSONText.range(ofMember: name, in: text).map { Array(text[$0]) }
    }

    private static func acceptedCommands(inStatus data: [UInt8]) -> [String]? {
        guard let status = JSONText.range(ofMember: "status", in: data[...]),
            let names = JSONText.range(ofMember: "accepts", in: data[status])
        else { return nil }
        return commands(in: try? JSONParser.parse(data[names], policy: .rfc8259))
    }
}
