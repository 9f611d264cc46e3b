import Postgres

/// A recording as it stands.
public struct StoredRecording: Sendable {
    /// In the spelling of the upload request.
    public let id: String
    /// Nil for an upload that is not completed.
    public let version: VersionTag?
    /// The JSON text, without what depends on the server's address and the version.
    public let document: [UInt8]

    init(_ columns: inout Columns) throws(UnexpectedResult) {
        id = try columns.next()
        version = VersionTag(try columns.next(), try columns.next())
        document = try columns.next()
    }

    /// Of a list: nil where the page had no room for the document.
    static func listed(_ columns: inout Columns) throws(UnexpectedResult) -> StoredRecording? {
        let id: String = try columns.next()
        let version = VersionTag(try columns.next(), try columns.next())
        guard let document: [UInt8] = try columns.next() else { return nil }
        return StoredRecording(id: id, version: version, document: document)
    }

    private init(id: String, version: VersionTag?, document: [UInt8]) {
        (self.id, self.version, self.document) = (id, version, document)
    }

    init(_ upload: RecordingFile) {
        id = upload.spelledID
        version = nil
        document = RecordingDocument.text(ofUpload: upload)
    }
}
