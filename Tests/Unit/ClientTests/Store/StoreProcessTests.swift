import Foundation
import Net
import NeuroViewsClient
import TestSupport
import Testing

/// `store-writer` (Tests/StoreWriter) is an app without a network.
@Suite("Processes on one store", .blocking, .timeLimit(.minutes(Patience.minutes(2))))
struct StoreProcessTests {
    private static let writer =
        URL(fileURLWithPath: Program.server).deletingLastPathComponent().appendingPathComponent("store-writer").path
    private let folder = Sandbox.makeFolder() + "/app"

    private func client() throws -> NeuroViews {
        var options = Options()
        options.folder = URL(fileURLWithPath: folder)
        let server = try #require(URL(string: "https://server.invalid"))
        return try NeuroViews(server: server, options)
    }

    /// Runs the writer until it has printed so many lines, and kills it then. Returns the whole lines.
    private func killed(after lines: Int) throws -> [String] {
        let output = Pipe()
        var settings = SpawnedProgram.Settings()
        settings.environment = Program.environment
        settings.output = output.fileHandleForWriting.fileDescriptor
        let program = try SpawnedProgram(Self.writer, ["save", folder], settings)
        try output.fileHandleForWriting.close()
        var printed = Data()
        while printed.count(where: { $0 == 10 }) < lines {
            let more = output.fileHandleForReading.availableData
            if more.isEmpty { throw Program.Failure("the writer ended with \(String(describing: program.status))") }
            printed += more
        }
        kill(program.number, SIGKILL)
        printed += output.fileHandleForReading.readDataToEndOfFile()
        _ = program.wait(seconds: 10)
        let text = String(decoding: printed, as: UTF8.self)
        return text.split(separator: "\n").dropLast(text.hasSuffix("\n") ? 0 : 1).map { String($0) }
    }

    @Test("An app that is killed 40 times has each configuration whose save returned")
    func killed() async throws {
        var saved: Set<String> = []
        for round in 0..<40 { saved.formUnion(try killed(after: round % 10 * 4 + 1)) }
        let stored = Set(try await client().configurations().map { $0.id.uuidString.lowercased() })
        #expect(saved.count >= 40)
        #expect(saved.subtracting(stored) == [])
    }

    @Test("Two apps that edit one configuration 300 times each lose none of the edits")
    func edits() async throws {
        let configuration = try await client().save(CameraConfiguration(name: "shared")).configuration
        let words = ["edit", folder, configuration.id.uuidString, "300"]
        async let first = Program.run([Self.writer] + words)
        async let second = Program.run([Self.writer] + words)
        for program in try await [first, second] { #expect(program.status == 0, "\(program.complaint)") }
        let shown = try #require(await client().configuration(configuration.id))
        #expect(shown.configuration["/count"]?.int64 == 600)
    }
}
