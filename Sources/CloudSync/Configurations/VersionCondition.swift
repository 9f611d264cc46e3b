/// What the caller says about the item's current version (RFC 9110, 13.1): If-Match or If-None-Match.
public enum VersionCondition: Sendable, Equatable {
    /// Any version there is.
    case any
    /// One of these versions.
    case versions([Int])

    /// Whether a version that exists is named.
    public func names(_ version: Int) -> Bool { versions?.contains(version) ?? true }

    var versions: [Int]? {
        if case .versions(let versions) = self { versions } else { nil }
    }
}

/// The conditions of a write; nil where the caller named none.
public struct WriteConditions: Sendable, Equatable {
    /// The write happens only when the current version is named here.
    public var ifMatch: VersionCondition?
    /// The write happens only when the current version is not named here.
    public var ifNoneMatch: VersionCondition?

    /// Names the conditions.
    public init(ifMatch: VersionCondition? = nil, ifNoneMatch: VersionCondition? = nil) {
        self.ifMatch = ifMatch
        self.ifNoneMatch = ifNoneMatch
    }

    /// The one version that the write is meant for, when nothing but that is said.
    var onlyVersion: Int? {
        guard ifNoneMatch == nil, let versions = ifMatch?.versions, versions.count == 1 else { return nil }
        return versions.first
    }
}
