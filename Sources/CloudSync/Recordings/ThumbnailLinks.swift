import NeuroViewsCrypto

/// Links to thumbnails, for the recordings in one answer. A thumbnail has the same link in every answer of a UTC day,
/// so that clients can cache its picture.
package struct ThumbnailLinks: Sendable {
    private static let daySeconds = 86400
    private let key: MasterKey
    private let expiresAt: Int

    /// Links are valid until the end of the day after `nowS`, Unix seconds.
    init(_ key: MasterKey, nowS: Int) {
        self.key = key
        expiresAt = (nowS / Self.daySeconds + 2) * Self.daySeconds
    }

    /// The last part of the URL. It is valid even before the thumbnail exists.
    package func text(ofObject objectKey: String) -> String {
        DownloadLink(.thumbnail, objectKey: objectKey, expiresAt: expiresAt).text(key)
    }
}

extension DownloadService {
    /// The links that are given out now.
    package var thumbnailLinks: ThumbnailLinks { ThumbnailLinks(keys.current, nowS: now()) }
}
