extension Device {
    /// The tag of a version of the item. If the item has no version with that number, the tag matches no version.
    package func tag(_ number: Int, of id: String) throws -> String {
        let answer = try versions(id, "limit=1000")
        guard answer.status == 200 || answer.status == 404 else { throw Program.Failure("versions: \(answer.verdict)") }
        let tags: [String] = answer.members("version", of: "versions")
        return tags.first { $0.hasPrefix("\(number)-") } ?? "\(number)-000000000000"
    }

    /// The If-Match field with the tag of an item's version.
    package func ifMatch(_ number: Int, of id: String) throws -> APIClient.Fields {
        [("If-Match", "\"\(try tag(number, of: id))\"")]
    }

    /// Replaces each quoted number in a condition by the tag of the item's version with that number.
    package func tagged(_ fields: APIClient.Fields, of id: String) throws -> APIClient.Fields {
        try fields.map { name, value in
            guard name.hasPrefix("If-") else { return (name, value) }
            return (name, try value.replacing(/"(\d+)"/) { match in "\"\(try tag(Int(match.1) ?? 0, of: id))\"" })
        }
    }
}

extension HTTPAnswer {
    /// The response's version: its ETag without the quotes; empty without an ETag.
    package var tag: String { field("etag").map { String($0.dropFirst().dropLast()) } ?? "" }

    /// The If-Match field with this response's version.
    package var ifMatch: APIClient.Fields { [("If-Match", "\"\(tag)\"")] }

    /// The number of the response's version. Nil if the ETag is not a version's tag, or if the `version` member differs
    /// from it.
    package var version: Int? {
        if let named = json["version"], named as? String != tag { return nil }
        return Self.number(tag)
    }

    /// The numbers of the versions in `versions` of a delta.
    package var versionNumbers: [String: Int] {
        (json["versions"] as? [String: String] ?? [:]).compactMapValues(Self.number)
    }

    /// The version numbers in one member of all objects of an array.
    package func numbers(_ member: String, of name: String) -> [Int] {
        (members(member, of: name) as [String]).compactMap(Self.number)
    }

    /// Nil if the text is not a version's tag.
    private static func number(_ tag: String) -> Int? {
        let parts = tag.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[1].count == 12, parts[1].allSatisfy({ $0.isHexDigit && !$0.isUppercase }) else {
            return nil
        }
        return Int(parts[0])
    }
}
