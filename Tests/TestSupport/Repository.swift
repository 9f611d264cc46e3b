import Foundation

/// This repository.
public enum Repository {
    /// Its folder.
    public static let path = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path
}
