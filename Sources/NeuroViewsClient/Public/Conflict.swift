import NeuroViewsJSON
import NeuroViewsRules

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A document that lost a conflict, and that the server keeps until the conflict is resolved.
public struct Conflict: Hashable, Sendable {
    private static let digestDigits = 64

    /// The configuration.
    public let configurationID: UUID
    /// SHA-256 of the document, in hexadecimal digits. It names the conflict.
    public let digest: String
    /// The version that won.
    public let baseVersion: VersionTag
    /// The time of the document's edit.
    public let editedAt: Date
    /// The time at which the server received it.
    public let receivedAt: Date
    /// The device that sent it; nil if its session named none.
    public let device: DeviceReference?
    /// The document.
    public let configuration: CameraConfiguration
    /// The entry as the server sent it.
    public let json: JSONValue

    /// Reads an entry; nil if it is not as the OpenAPI document has it.
    init?(_ json: JSON, of id: UUID) {
        guard let digest = json["digest"]?.string, Self.isDigest(digest),
            let baseVersion = json["base_version"]?.string.flatMap({ VersionTag($0) }),
            let editedAt = json["edited_at"]?.date, let receivedAt = json["received_at"]?.date,
            let document = Document(json["document"])
        else { return nil }
        (configurationID, self.digest, self.baseVersion) = (id, digest, baseVersion)
        (self.editedAt, self.receivedAt) = (editedAt, receivedAt)
        device = json["device"].flatMap { DeviceReference($0) }
        configuration = CameraConfiguration(document, id: id)
        self.json = JSONValue(json)
    }

    /// The digest becomes a part of a path.
    private static func isDigest(_ text: String) -> Bool {
        text.utf8.count == digestDigits && text.utf8.allSatisfy { (48...57).contains($0) || (97...102).contains($0) }
    }
}
