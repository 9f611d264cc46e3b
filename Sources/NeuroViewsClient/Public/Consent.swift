import NeuroViewsJSON

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The last word of the person on a category.
public struct Consent: Hashable, Sendable {
    /// True if they agree.
    public let isGranted: Bool
    /// The version of the text that they were shown; nil if nobody was asked.
    public let textVersion: String?
    /// The time at which the server took it; nil if nobody was asked, and while only this device knows it.
    public let changedAt: Date?
    /// True if the server does not know it yet. It is sent as soon as the server can be reached.
    public let isUnsent: Bool
}

extension Consent {
    /// Reads an entry; nil if it is not as the OpenAPI document has it.
    init?(_ json: JSON) {
        guard let isGranted = json["granted"]?.bool, let version = json["version"], let changedAt = json["changed_at"]
        else { return nil }
        self.init(
            isGranted: isGranted,
            textVersion: version.string,
            changedAt: changedAt.date,
            isUnsent: false
        )
    }

    /// Reads `{"consents": {category: …}}`; nil if it is not as the OpenAPI document has it.
    static func all(_ json: JSON) -> [ConsentCategory: Consent]? {
        guard let members = json["consents"]?.object?.members else { return nil }
        var consents: [ConsentCategory: Consent] = [:]
        for member in members {
            guard let consent = Consent(member.value) else { return nil }
            consents[ConsentCategory(rawValue: member.name)] = consent
        }
        return consents
    }
}
