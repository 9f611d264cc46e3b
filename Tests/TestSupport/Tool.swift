import Foundation
import Testing

/// Programs that `Tests/Support/tools` puts into `.build/tools`.
package enum Tool: String, Sendable {
    /// Python, with the packages of `Tests/Support/requirements.txt`.
    case python
    case pgbouncer
    case prometheus

    /// The program's folder.
    package var folder: String { "\(Repository.path)/.build/tools/\(rawValue)" }
    /// False if the folder is missing or incomplete.
    package var isInstalled: Bool { FileManager.default.fileExists(atPath: folder + "/complete") }

    /// The Python interpreter.
    package static let interpreter = python.folder + "/bin/python"
    /// Prometheus' judge of rules and expressions.
    package static let promtool = prometheus.folder + "/usr/bin/promtool"

    /// The path of a Python program in `Tests/Support`.
    package static func script(_ name: String) -> String { "\(Repository.path)/Tests/Support/\(name)" }
}

extension Trait where Self == ConditionTrait {
    /// For tests with a program of others; skipped if it is not installed.
    package static func needs(_ tool: Tool) -> Self {
        .enabled(if: tool.isInstalled, "\(tool) is not here: run Tests/Support/tools")
    }
}
