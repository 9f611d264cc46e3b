import Foundation

/// The test data that lies beside the repository, or where NEUROVIEWS_SHARED points.
public enum SharedVectors {
    /// The data is not where it should be.
    public struct Missing: Error, CustomStringConvertible {
        let path: String
        /// What to do.
        public var description: String {
            "No test data at \(path): put the shared folder beside the repository or set NEUROVIEWS_SHARED."
        }
    }

    private static var root: URL {
        if let shared = ProcessInfo.processInfo.environment["NEUROVIEWS_SHARED"] {
            return URL(fileURLWithPath: shared).appendingPathComponent("vectors")
        }
        let repository = URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        return repository.deletingLastPathComponent().appendingPathComponent("shared/vectors")
    }

    /// A file's bytes. Throws `Missing`.
    public static func bytes(_ path: String) throws -> [UInt8] {
        let url = root.appendingPathComponent(path)
        guard let data = FileManager.default.contents(atPath: url.path) else { throw Missing(path: url.path) }
        return [UInt8](data)
    }

    /// The names of a folder's JSON files, sorted.
    public static func names(in folder: String) throws -> [String] {
        let url = root.appendingPathComponent(folder)
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: url.path) else {
            throw Missing(path: url.path)
        }
        return names.filter { $0.hasSuffix(".json") }.sorted()
    }
}
