import NeuroViewsJSON

/// The exposure of a ``CameraConfiguration``. A missing member is nil; an assignment of nil removes it.
public struct ExposureSettings: Sendable {
    static let pointer = JSONPointer().appending(member: "exposure_settings")

    /// All members, known or not.
    private(set) var content: JSONObject
    /// The first assignment that was refused.
    private(set) var invalid: InvalidEdit?
    /// The members that were assigned since the settings were read from a configuration.
    private var noted = NotedMembers()

    /// The settings of a configuration.
    init(_ content: JSONObject) { self.content = content }

    /// Makes settings of the members that are given.
    public init(
        mode: ExposureMode? = nil,
        iso: Double? = nil,
        shutterSpeed: Double? = nil,
        exposureCompensation: Double? = nil
    ) {
        self.init(JSONObject())
        self.mode = mode
        self.iso = iso
        self.shutterSpeed = shutterSpeed
        self.exposureCompensation = exposureCompensation
        noted = NotedMembers()
    }

    /// The noted members with their values, by their place in the configuration.
    var changes: [(pointer: JSONPointer, value: JSON?)] {
        noted.all.map { ($0, $0.tokens.last.flatMap { content[$0] }) }
    }

    /// True if these are the other settings, but for the noted members.
    func isEdit(of other: ExposureSettings) -> Bool {
        guard !noted.isEmpty else { return false }
        func unnoted(_ object: JSONObject) -> JSONObject {
            JSONObject(object.members.filter { !noted.contains(Self.pointer.appending(member: $0.name)) })
        }
        return unnoted(content) == unnoted(other.content)
    }

    private mutating func put(_ value: JSON?, _ name: String) {
        noted.insert(Self.pointer.appending(member: name))
        guard let value else { return content = JSONObject(content.members.filter { !$0.name.hasSameBytes(as: name) }) }
        if content[name] != value { content.set(name, to: value) }
    }

    private mutating func refuse(_ name: String, _ reason: InvalidEdit.Reason) {
        invalid = invalid ?? InvalidEdit(pointer: Self.pointer.appending(member: name).description, reason: reason)
    }
}

extension ExposureSettings {
    /// The part of the exposure that the user chooses.
    public var mode: ExposureMode? {
        get { content["mode"]?.string.map { ExposureMode(rawValue: $0) } }
        set { put(newValue.map { .string($0.rawValue) }, "mode") }
    }

    /// The sensitivity: 50 to 6400.
    public var iso: Double? {
        get { self[number: "iso"] }
        set { self[number: "iso"] = newValue }
    }

    /// The time in seconds: 0.000125 to 30.
    public var shutterSpeed: Double? {
        get { self[number: "shutter_speed"] }
        set { self[number: "shutter_speed"] = newValue }
    }

    /// The correction in stops: -3 to 3.
    public var exposureCompensation: Double? {
        get { self[number: "exposure_compensation"] }
        set { self[number: "exposure_compensation"] = newValue }
    }

    /// Reads or assigns any member by its name; nil if it is missing, and to remove it.
    public subscript(name: String) -> JSONValue? {
        get { content[name].map { JSONValue($0) } }
        set {
            let levels = JSON.documentLevelsMax - Self.pointer.tokens.count - 1
            guard newValue?.isNested(deeperThan: levels) != true else {
                return refuse(name, .tooDeep(maxLevels: JSON.documentLevelsMax))
            }
            put(newValue.map { JSON($0) }, name)
        }
    }

    /// A number that is the same double keeps its digits, which may be more than a double has.
    private subscript(number name: String) -> Double? {
        get { content[name]?.number?.double }
        set {
            guard let newValue else { return put(nil, name) }
            if newValue == self[number: name] { return put(content[name], name) }
            guard let number = JSONNumber(nearest: newValue) else { return refuse(name, .notFinite) }
            put(.number(number), name)
        }
    }
}

extension ExposureSettings: Hashable {
    /// True if all members mean the same.
    public static func == (left: ExposureSettings, right: ExposureSettings) -> Bool { left.content == right.content }

    /// Equal settings have equal hashes.
    public func hash(into hasher: inout Hasher) { hasher.combine(content) }
}

extension JSONNumber {
    /// The shortest text of a double, without a point if it is an integer; nil for an infinity and for NaN.
    init?(nearest double: Double) {
        if let integer = Int64(exactly: double) {
            self.init(integer)
        } else {
            self.init("\(double)")
        }
    }
}
