import CloudSync

/// The text of recordings in one answer: the stored document, the link to its thumbnail, and the version. The link
/// changes every day, so versions, tags and `state_hash` leave it out.
struct RecordingText: Sendable {
    private let links: ThumbnailLinks
    private let publicURL: String
    private let urls: RecordingURLs?

    /// With `urls`, each recording has those of its files.
    init(_ links: ThumbnailLinks, publicURL: String, _ urls: RecordingURLs? = nil) {
        self.links = links
        self.publicURL = publicURL
        self.urls = urls
    }

    /// The link to the thumbnail of an object, which may not exist yet.
    func thumbnailURL(_ objectKey: String) -> String { "\(publicURL)/downloads/\(links.text(ofObject: objectKey))" }

    /// The text of a recording. `members` are more of its members, each with a comma before it.
    func whole(_ recording: StoredRecording, members: String = "") -> [UInt8] {
        var text = whole(recording.document, thumbnail: recording.thumbnailObject, recording.version)
        guard let urls else { return text }
        text.removeLast()
        urls.append(of: recording.id, to: &text)
        text.append(contentsOf: members.utf8)
        text.append(UInt8(ascii: "}"))
        return text
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
        text.append(UInt8(ascii: "\""))
        urls?.append(of: recording.id, to: &text)
        text.append(UInt8(ascii: "}"))
    }

    private func appendThumbnail(_ objectKey: String?, to text: inout [UInt8]) {
        text.append(contentsOf: #","thumbnail_url":"#.utf8)
        text.append(contentsOf: (objectKey.map { "\"\(thumbnailURL($0))\"" } ?? "null").utf8)
    }
}
