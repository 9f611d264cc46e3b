import Crypto
import Postgres

/// A recording's file, as an export names it.
public struct ExportedFile: Sendable {
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

    /// What can be downloaded of it.
    public var parts: [DownloadLink.Part] {
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
    /// How long the links of an export are good, in seconds: whoever takes everything along needs more than some minutes.
    public static let exportLifetimeSeconds = 86400
}

extension DownloadService {
    /// When links that are made now end.
    public var exportLinksEnd: String { Timestamp(seconds: now() + DownloadLink.exportLifetimeSeconds).text }

    /// What a download URL ends with, for an export that the file is a part of.
    public func link(_ part: DownloadLink.Part, ofExported file: ExportedFile) -> String {
        DownloadLink(part, objectKey: file.objectKey, expiresAt: now() + DownloadLink.exportLifetimeSeconds).text(
            keys.current
        )
    }

    /// The same file without a URL of this server's.
    public func download(_ part: DownloadLink.Part, ofExported file: ExportedFile) -> Download {
        download(part, file.objectKey, file.contentType, file.filename, size: nil, isEncrypted: file.isEncrypted)
    }
}
