import NeuroViewsJSON

extension RecordingMetadata {
    /// The place of a recording.
    public struct Location: Hashable, Sendable {
        /// Degrees north, WGS 84: -90 to 90.
        public var latitude: Double
        /// Degrees east, WGS 84: -180 to 180.
        public var longitude: Double
        /// Metres.
        public var altitude: Double?

        /// Takes the place.
        public init(latitude: Double, longitude: Double, altitude: Double? = nil) {
            (self.latitude, self.longitude, self.altitude) = (latitude, longitude, altitude)
        }
    }
}

extension RecordingMetadata.Location {
    /// Reads the member; nil for anything else.
    init?(_ json: JSON) {
        guard let latitude = json["latitude"]?.number?.double, let longitude = json["longitude"]?.number?.double else {
            return nil
        }
        self.init(latitude: latitude, longitude: longitude, altitude: json["altitude"]?.number?.double)
    }

    /// The member. All numbers are finite.
    var json: JSON? {
        var members = JSONObject()
        for (name, value) in [("latitude", latitude as Double?), ("longitude", longitude), ("altitude", altitude)] {
            if let number = value.flatMap({ JSONNumber(nearest: $0) }) { members.set(name, to: .number(number)) }
        }
        return .object(members)
    }
}
