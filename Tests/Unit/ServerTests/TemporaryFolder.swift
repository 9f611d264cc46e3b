import Foundation
import TestSupport

/// A folder for one test. It is removed with its content after the test.
final class TemporaryFolder: Sendable {
    let path: String

    init(_ name: String = "") throws {
        path = "\(TemporaryPlace.path)/nvt-\(UUID().uuidString.prefix(8))\(name)"
        try FileManager.default.createDirectory(
            atPath: path,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o755]
        )
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func file(_ name: String, _ content: String, mode: Int = 0o600) throws -> String {
        let file = "\(path)/\(name)"
        let folder = URL(fileURLWithPath: file).deletingLastPathComponent()
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data(content.utf8).write(to: URL(fileURLWithPath: file))
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file)
        return file
    }
}
