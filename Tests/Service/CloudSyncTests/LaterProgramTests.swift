import Foundation
import Media
import Net
import TestSupport
import Testing

@testable import CloudSync

@Suite("Media programs that are installed later", .needsFFmpeg)
struct LaterProgramTests {
    private static let allButFFprobe = ["nice", "setpriv", "prlimit", "choom", "bwrap", "ffmpeg"]

    @Test(
        "A server finds the media programs that are installed while it runs",
        arguments: [[], allButFFprobe]
    )
    func found(before: [String]) async throws {
        let pool = try BlockingPool(threads: 1, queueMax: 10)
        defer { pool.stop() }
        let folders = Locked([try Self.folder(with: before)])
        let laboratory = MediaLaboratory(
            pool: pool,
            allowsNoWalls: true,
            find: { MediaTools.find(in: folders.withLock { $0 }) }
        )
        let film = try ProcessingTests.film()
        #expect(try await laboratory.examine(film).findings.probe == nil)
        folders.withLock { $0 = MediaTools.usualFolders }
        #expect(try await laboratory.examine(film).findings.probe != nil)
    }

    /// A folder with those of the programs that this machine has.
    private static func folder(with programs: [String]) throws -> String {
        let folder = Sandbox.makeFolder()
        for name in programs {
            let places = MediaTools.usualFolders.map { "\($0)/\(name)" }
            guard let place = places.first(where: { access($0, X_OK) == 0 }) else { continue }
            try #require(symlink(place, "\(folder)/\(name)") == 0)
        }
        return folder
    }
}
