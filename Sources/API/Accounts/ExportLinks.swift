import CloudSync
import NeuroViewsJSON
import Storage

/// Download URLs of the recordings' files in an export.
struct ExportLinks: Sendable {
    let downloads: DownloadService
    let storage: ObjectStorage

    /// The expiry of links that are made now.
    var end: String { downloads.exportLinksEnd }

    /// Writes the URLs of the existing parts of a file, those of this server below `publicURL`.
    func write(_ file: ExportedFile, at publicURL: String, to writer: inout JSONWriter) {
        writer.beginObject()
        for part in file.parts {
            if let url = url(of: part, file, publicURL) { writer.member(part.rawValue, string: url) }
        }
        writer.endObject()
    }

    private func url(of part: DownloadLink.Part, _ file: ExportedFile, _ publicURL: String) -> String? {
        guard case .s3(let s3) = storage else {
            return "\(publicURL)/downloads/\(downloads.link(part, ofExported: file))"
        }
        let download = downloads.download(part, ofExported: file)
        guard let key = ObjectKey(download.objectKey) else { return nil }
        return s3.presignedGet(
            key,
            contentType: download.contentType,
            contentDisposition: DownloadRoutes.disposition(of: download),
            expiresS: DownloadLink.exportLifetimeSeconds
        ).url
    }
}
