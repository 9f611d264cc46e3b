import Media
import Postgres

/// A recording in its current version.
package struct StoredRecording: Sendable {
    /// The id in the spelling of the upload request.
    package let id: String
    /// Nil for an uncompleted upload.
    package let version: VersionTag?
    /// The JSON text, without the version and the members that depend on the server's address.
    package let document: [UInt8]
    /// The object that the link to its thumbnail names; nil if there is none and none will be made.
    package let thumbnailObject: String?

    init(_ columns: inout Columns) throws(UnexpectedResult) {
        id = try columns.next()
        version = VersionTag(try columns.next(), try columns.next())
        document = try columns.next()
        thumbnailObject = try columns.next()
    }

    init(_ upload: RecordingFile) {
        id = upload.spelledID
        version = nil
        document = RecordingDocument.text(ofUpload: upload)
        let hasPicture = MediaFormat(contentType: upload.contentType)?.hasPicture == true
        thumbnailObject = hasPicture && upload.encryption == nil ? upload.objectKey : nil
    }
}
