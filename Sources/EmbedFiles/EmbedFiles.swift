import Foundation
import PackagePlugin

/// Embeds every file of a target's folder that is not Swift in the binary, by its path in the folder. The folder is the
/// list: a new file is in the next build.
@main
struct EmbedFiles: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        guard let target = target as? any SourceModuleTarget else { return [] }
        let files = target.sourceFiles.map(\.url).filter { $0.pathExtension != "swift" }
            .sorted { $0.path < $1.path }
        let script = context.package.directoryURL.appending(path: "Sources/EmbedFiles/embed")
        let output = context.pluginWorkDirectoryURL.appending(path: "EmbeddedFiles.swift")
        return [
            .buildCommand(
                displayName: "Embedding the files of \(target.name)",
                executable: URL(filePath: "/bin/sh"),
                arguments: [script.path, output.path, target.directoryURL.path] + files.map(\.path),
                inputFiles: files + [script],
                outputFiles: [output]
            )
        ]
    }
}
