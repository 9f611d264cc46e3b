import CloudSync

/// The text of recordings in one answer: the stored document, the link to its thumbnail, and the version. The link
/// changes every day, so versions, tags and `state_hash` leave it out.
struct RecordingText: Sendable {
    private let links: ThumbnailLinks
    private let publicURL: String

    init(_ links: ThumbnailLinks, publicURL: String) {
        self.links = links
        self.publicURL = publicURL
    }

    /// The link to the thumbnail of an object, which may not exist yet.
    func thumbnailURL(_ objectKey: String) -> String { "\(publicURL)/downloads/\(links.text(ofObject: objectKey))" }

    /// The text of a recording.
    func whole(_ recording: StoredRecording) -> [UInt8] {
        whole(recording.document, thumbnail: recording.thumbnailObject, recording.version)
    }

    /// The same for its parts.
    func whole(_ document: [UInt8], thumbnail objectKey: String?, _ version: VersionTag?) -> [UInt8] {
        var text = Array(document.dropLast())
        appendThumbnail(objectKey, to: &text)
        if let version {
            text.append(contentsOf: #","version":""#.utf8)
            text.append(contentsOf: version.text.utf8)
            text.append(UInt8(ascii: "\""))
        }
        text.append(UInt8(ascii: "}"))
        return text
    }

    /// Appends the end of a recording in libpq's memory. Its document was already appended without its last byte.
    func append(endOf recording: DeltaItem, to text: inout [UInt8]) {
        appendThumbnail(recording.thumbnailObject, to: &text)
        text.append(contentsOf: #","version":""#.utf8)
        recording.appendTag(to: &text)
        text.append(contentsOf: #""}"#.utf8)
    }

    private func appendThumbnail(_ objectKey: String?, to text: inout [UInt8]) {
        text.append(contentsOf: #","thumbnail_url":"#.utf8)
        text.append(contentsOf: (objectKey.map { "\"\(thumbnailURL($0))\"" } ?? "null").utf8)
    }
}
