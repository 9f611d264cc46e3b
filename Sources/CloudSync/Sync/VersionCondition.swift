/// The versions that a condition names (RFC 9110, 13.1): If-Match or If-None-Match.
package enum VersionCondition: Sendable, Equatable {
    /// Any version of an item that is not deleted.
    case any
    /// One of these versions.
    case versions([VersionTag])

    /// Returns true if the condition names that version.
    func names(_ version: VersionTag, isDeleted: Bool) -> Bool {
        switch self {
        case .any: !isDeleted
        case .versions(let tags): tags.contains(version)
        }
    }
}

/// The conditions of a write; nil means none.
package struct WriteConditions: Sendable, Equatable {
    /// The write is accepted only if the current version is named here.
    package var ifMatch: VersionCondition?
    /// The write is accepted only if the current version is not named here.
    package var ifNoneMatch: VersionCondition?

    /// Stores the conditions.
    package init(ifMatch: VersionCondition? = nil, ifNoneMatch: VersionCondition? = nil) {
        self.ifMatch = ifMatch
        self.ifNoneMatch = ifNoneMatch
    }

    /// The version that the write is based on: If-Match names exactly one tag, and there is no If-None-Match.
    var base: VersionTag? {
        guard ifNoneMatch == nil, let tags, tags.count == 1 else { return nil }
        return tags.first
    }

    /// The tags in If-Match; nil without If-Match, and for `*`.
    var tags: [VersionTag]? {
        guard case .versions(let tags) = ifMatch else { return nil }
        return tags
    }

    /// The reason to reject a write over a stored version; nil if the conditions allow it.
    func refusal(of version: VersionTag, isDeleted: Bool) -> WriteConflict.Reason? {
        let isNamed = ifMatch?.names(version, isDeleted: isDeleted)
        if isDeleted && isNamed != true { return .deleted }
        if isNamed == false || ifNoneMatch?.names(version, isDeleted: isDeleted) == true { return .versionMismatch }
        return nil
    }

    /// Returns true if the conditions allow a restore over a stored version. A restore may bring a deleted item back, so
    /// `.deleted` is no reason to reject it.
    func allowsRestore(over version: VersionTag, isDeleted: Bool) -> Bool {
        ifMatch?.names(version, isDeleted: isDeleted) != false
            && ifNoneMatch?.names(version, isDeleted: isDeleted) != true
    }
}
