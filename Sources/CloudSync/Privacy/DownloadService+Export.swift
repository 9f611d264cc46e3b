import NeuroViewsCrypto
import Postgres

/// A recording's file in an export.
package struct ExportedFile: Sendable {
    let objectKey: String
    let contentType: String
    let filename: String?
    let isEncrypted: Bool
    let hasThumbnail: Bool
    let hasPreview: Bool

    init(_ columns: inout Columns) throws(UnexpectedResult) {
        objectKey = try columns.next()
        contentType = try columns.next()
        filename = try columns.next()
        isEncrypted = try columns.next()
        hasThumbnail = try columns.next()
        hasPreview = try columns.next()
    }

    /// The existing parts.
    package var parts: [DownloadLink.Part] {
        DownloadLink.Part.allCases.filter { part in
            switch part {
            case .content: true
            case .thumbnail: hasThumbnail
            case .preview: hasPreview
            }
        }
    }
}

extension DownloadLink {
    /// The lifetime of the links in an export, in seconds. To download a whole account takes longer than some minutes.
    package static let exportLifetimeSeconds = 86400
}

extension DownloadService {
    /// The expiry of links that are made now and last for `seconds`.
    package func end(ofLinksFor seconds: Int) -> String { Timestamp(seconds: now() + seconds).text }

    /// Returns the last part of a download URL for a file of an export or a list.
    package func link(_ part: DownloadLink.Part, to file: ExportedFile, forSeconds seconds: Int) -> String {
        DownloadLink(part, objectKey: file.objectKey, expiresAt: now() + seconds).text(keys.current)
    }

    /// Returns the same file for a response without a link.
    package func download(_ part: DownloadLink.Part, ofExported file: ExportedFile) -> Download {
        download(part, file.objectKey, file.contentType, file.filename, size: nil, isEncrypted: file.isEncrypted)
    }
}
