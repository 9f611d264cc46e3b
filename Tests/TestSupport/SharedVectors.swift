import Foundation
import Testing

/// The public test vectors, in a folder beside the repository, or where NEUROVIEWS_SHARED points.
public enum SharedVectors {
    /// A set of vectors that is not where it should be.
    public struct Missing: Error, CustomStringConvertible {
        let path: String
        /// What to do.
        public var description: String { "No test data at \(path): Tests/Support/vectors.md says how to get it." }
    }

    private static let named = ProcessInfo.processInfo.environment["NEUROVIEWS_SHARED"]
    private static let shared = named ?? Repository.path + "/../shared"
    private static let root = folder("vectors")

    /// A folder beside that of the vectors.
    static func folder(_ name: String) -> URL { URL(fileURLWithPath: shared).appendingPathComponent(name).standardized }

    /// False where there is no such folder and none was named. A set that is missing in the folder is an error.
    static let arePresent = named != nil || FileManager.default.fileExists(atPath: root.path)

    /// A file's bytes. Throws `Missing`.
    public static func bytes(_ path: String) throws -> [UInt8] {
        let url = root.appendingPathComponent(path)
        guard let data = FileManager.default.contents(atPath: url.path) else { throw Missing(path: url.path) }
        return [UInt8](data)
    }

    /// The names of a folder's folders, sorted.
    public static func folders(in folder: String) throws -> [String] {
        let url = root.appendingPathComponent(folder)
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: url.path) else {
            throw Missing(path: url.path)
        }
        return names.filter { url.appendingPathComponent($0).hasDirectoryPath }.sorted()
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

extension Trait where Self == ConditionTrait {
    /// For tests of public vectors: skipped where nobody has fetched them. `deploy/test` counts them by this comment.
    public static var needsPublicVectors: Self {
        .enabled(if: SharedVectors.arePresent, "public vectors are not here")
    }
}
