import Foundation
import Testing

/// The public test vectors, in a folder beside the repository or in the folder `NEUROVIEWS_SHARED`.
package enum SharedVectors {
    /// A missing file or folder of test vectors.
    package struct Missing: Error, CustomStringConvertible {
        let path: String
        /// The message, with the remedy.
        package var description: String { "No test data at \(path): Tests/Support/vectors.md says how to get it." }
    }

    private static let named = ProcessInfo.processInfo.environment["NEUROVIEWS_SHARED"]
    private static let shared = named ?? Repository.path + "/../shared"
    private static let root = URL(fileURLWithPath: shared).appendingPathComponent("vectors").standardized

    /// False if the default folder does not exist and `NEUROVIEWS_SHARED` is not set. A missing set in the folder is an
    /// error.
    static let arePresent = named != nil || FileManager.default.fileExists(atPath: root.path)

    /// A file's bytes. Throws `Missing`.
    package static func bytes(_ path: String) throws -> [UInt8] {
        let url = root.appendingPathComponent(path)
        guard let data = FileManager.default.contents(atPath: url.path) else { throw Missing(path: url.path) }
        return [UInt8](data)
    }

    /// The names of the subfolders, sorted.
    package static func folders(in folder: String) throws -> [String] {
        let url = root.appendingPathComponent(folder)
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: url.path) else {
            throw Missing(path: url.path)
        }
        return names.filter { url.appendingPathComponent($0).hasDirectoryPath }.sorted()
    }

    /// The names of a folder's JSON files, sorted.
    package static func names(in folder: String) throws -> [String] {
        let url = root.appendingPathComponent(folder)
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: url.path) else {
            throw Missing(path: url.path)
        }
        return names.filter { $0.hasSuffix(".json") }.sorted()
    }
}

extension Trait where Self == ConditionTrait {
    /// For tests with public vectors; skipped if the vectors are not installed. `deploy/test` counts skipped tests by
    /// this trait's comment.
    package static var needsPublicVectors: Self {
        .enabled(if: SharedVectors.arePresent, "public vectors are not here")
    }
}
