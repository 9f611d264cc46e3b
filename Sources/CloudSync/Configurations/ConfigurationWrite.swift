import Postgres

/// One write of one item: a request of its own, or an operation of a batch.
struct ConfigurationWrite: Sendable {
    enum Kind: String, Sendable { case create, replace, delete }

    let kind: Kind
    /// In lower case.
    let id: String
    /// Nil for a deletion.
    let document: ConfigurationDocument?
    let conditions: WriteConditions

    init(_ kind: Kind, id: String, _ document: ConfigurationDocument?, _ conditions: WriteConditions) {
        self.kind = kind
        self.id = id.lowercased()
        self.document = document
        self.conditions = conditions
    }

    /// What `write_configuration` takes of the write.
    var parameters: [Parameter] {
        [
            .text(kind.rawValue),
            .text(id),
            .text(document?.spelledID ?? id),
            document.map { .utf8($0.prefix) } ?? .null,
            document.map { .utf8($0.suffix) } ?? .null,
            document.map { .bytes($0.digest) } ?? .null,
            .int(document?.modifiedAt.microseconds),
            .text(conditions.ifMatch?.sql),
            .text(conditions.ifNoneMatch?.sql),
        ]
    }
}

extension VersionCondition {
    /// As `names_version` takes it: `*`, or an array's text.
    var sql: String {
        switch self {
        case .any: "*"
        case .versions(let versions): "{" + versions.map(String.init).joined(separator: ",") + "}"
        }
    }
}
