import Postgres

/// A recording in its current version.
public struct StoredRecording: Sendable {
    /// The id in the spelling of the upload request.
    public let id: String
    /// Nil for an uncompleted upload.
    public let version: VersionTag?
    /// The JSON text, without the version and the members that depend on the server's address.
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
