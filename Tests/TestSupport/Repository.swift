import Foundation

/// This repository.
package enum Repository {
    /// The repository's folder.
    package static let path = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path
}
