import CloudSync
import NeuroViewsJSON
import TestSupport

/// A small configuration from a device. The service reads only its id and `modified_at`.
struct Document: Sendable {
    let id: String
    let name: String
    let modifiedAt: Timestamp

    /// `edited` is in seconds since the beginning of 2020.
    init(_ name: String, id: String, edited: Int) {
        self.init(name, id: id, at: Timestamp(seconds: 1_577_836_800 + edited))
    }

    init(_ name: String, id: String, at modifiedAt: Timestamp) {
        self.id = id
        self.name = name
        self.modifiedAt = modifiedAt
    }

    /// The JSON text, with `spelledID` as the id's spelling.
    func text(spelledID: String? = nil) -> String {
        let fraction = String(1_000_000 + modifiedAt.microseconds % 1_000_000).dropFirst()
        let time = "\(modifiedAt.text.dropLast()).\(fraction)Z"
        return #"{ "name":"\#(name)","id":"\#(spelledID ?? id)","modified_at":"\#(time)","x":1.50e+0 }"#
    }

    /// The parsed document for the service.
    func parsed() throws -> ConfigurationDocument {
        let bytes = Array(text().utf8)
        let value = try JSONParser.parse(bytes, policy: .requestBody)
        guard let document = ConfigurationDocument(text: bytes[...], value: value) else {
            throw TestSupportError("no configuration: \(text())")
        }
        return document
    }
}
