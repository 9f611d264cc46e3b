import Foundation

/// This repository.
public enum Repository {
    /// The repository's folder.
    public static let path = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path
}
