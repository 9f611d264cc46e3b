import NeuroViewsJSON

extension RecordingMetadata {
    /// Metadata with nothing but a time.
    init(recordedAt: Timestamp) {
        members = JSONObject([.init(name: "created_at", value: .string(recordedAt.text))])
        self.recordedAt = recordedAt
    }

    /// The metadata with every member that is not optional in the specification. A null counts as not sent. The model
    /// and the version of the app are those of `sender`, the device that sends the metadata.
    func filled(from sender: DeviceDescription?, contentType: String) -> JSONObject {
        var filled = members
        func fill(_ name: String, _ value: JSONValue) { if !filled.hasValue(name) { filled.set(name, to: value) } }
        fill("filename", .string(RecordingType.filename(of: contentType, recordedAt)))
        // With its fraction, because lists are ordered by it.
        fill("created_at", members["creation_date"] ?? .null)
        fill("creation_date", wholeSeconds)
        fill("device_model", .string(sender?.model ?? ""))
        fill("app_version", .string(sender?.appVersion ?? ""))
        fill("camera_position", .string("unspecified"))
        fill("custom_tags", .object(JSONObject()))
        return filled
    }

    /// The content that identifies a request of `complete`. Its retry may leave out a null, or use the other name of
    /// the time.
    var sentContent: [UInt8] {
        let (first, second) = JSONObject.times
        var sent = JSONObject(members.members.filter { $0.value != .null && $0.name != first && $0.name != second })
        sent.set(second, to: .number(JSONNumber(Int64(recordedAt.microseconds))))
        return JSONValue.object(sent).canonical()
    }

    /// The time without a fraction, which many readers refuse. Beyond the years of four digits, as it was sent.
    private var wholeSeconds: JSONValue {
        let text = recordedAt.text
        return Timestamp(text) == nil ? members["created_at"] ?? .null : .string(text)
    }
}

extension JSONObject {
    /// The names of the time of a recording: of the first clients, and of the specification.
    fileprivate static let times = ("created_at", "creation_date")

    /// True for a member with another value than null.
    func hasValue(_ name: String) -> Bool { self[name].map { $0 != .null } ?? false }

    /// A member that is an RFC 3339 time.
    func time(_ name: String) -> Timestamp? { self[name]?.string.flatMap { Timestamp($0) } }

    /// If a change has set only one of the two times, sets the other one to null. They are one time, and a client may
    /// know only one of its names. `before` is the object without the change.
    mutating func dropOldTime(_ before: JSONObject) {
        for (changed, other) in [Self.times, (Self.times.1, Self.times.0)]
        where hasValue(changed) && self[changed] != before[changed] && self[other] == before[other] {
            set(other, to: .null)
        }
    }
}
