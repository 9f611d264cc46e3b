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

    init(_ upload: RecordingFile) {
        id = upload.spelledID
        version = nil
        document = RecordingDocument.text(ofUpload: upload)
    }
}
