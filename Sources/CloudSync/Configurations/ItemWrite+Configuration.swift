extension ItemWrite {
    /// A write of the document that was sent.
    init(
        _ kind: Kind,
        id: String,
        _ document: ConfigurationDocument?,
        _ conditions: WriteConditions,
        merges: Bool = false
    ) {
        let sent = SentDigest(kind.rawValue, merges: merges, document?.content.digest ?? [])
        self.init(kind, id: id, document, conditions, sent)
    }

    /// A write of a document that was derived from the request `sent`.
    init(
        _ kind: Kind,
        id: String,
        _ document: ConfigurationDocument?,
        _ conditions: WriteConditions,
        _ sent: SentDigest
    ) {
        self.init(
            kind: kind,
            id: id.lowercased(),
            spelledID: document?.spelledID ?? id,
            content: document?.content,
            conditions: conditions,
            sent: sent,
            editedAt: document?.modifiedAt
        )
    }
}
