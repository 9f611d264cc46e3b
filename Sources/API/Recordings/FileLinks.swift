import CloudSync
import NeuroViewsJSON
import Storage

/// Download URLs of recordings' files, in exports and in lists.
struct FileLinks: Sendable {
    let downloads: DownloadService
    let storage: ObjectStorage
    /// The lifetime of the links, in seconds.
    let lifetimeSeconds: Int

    /// The expiry of links that are made now.
    var end: String { downloads.end(ofLinksFor: lifetimeSeconds) }

    /// Writes the URLs of the existing parts of a file, those of this server below `publicURL`.
    func write(
        _ file: ExportedFile,
        _ parts: [DownloadLink.Part],
        at publicURL: String,
        to writer: inout JSONWriter
    ) {
        writer.beginObject()
        for part in parts {
            if let url = url(of: part, file, publicURL) { writer.member(part.rawValue, string: url) }
        }
        writer.endObject()
    }

    private func url(of part: DownloadLink.Part, _ file: ExportedFile, _ publicURL: String) -> String? {
        guard case .s3(let s3) = storage else {
            return "\(publicURL)/downloads/\(downloads.link(part, to: file, forSeconds: lifetimeSeconds))"
        }
        let download = downloads.download(part, ofExported: file)
        guard let key = ObjectKey(download.objectKey) else { return nil }
        return s3.presignedGet(
            key,
            contentType: download.contentType,
            contentDisposition: DownloadRoutes.disposition(of: download),
            expiresS: lifetimeSeconds
        ).url
    }
}
