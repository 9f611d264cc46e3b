import Foundation
import TestSupport
import Testing

/// The store is on a small file system in memory, which only root can mount.
@Suite("Uploads to a full disk", .blocking)
struct FullDiskUploadTests {
    @Test(
        "An upload to a full disk gets 507 and goes on when there is room",
        .enabled(if: getuid() == 0, "needs root")
    )
    func full() throws {
        let folder = Sandbox.makeFolder()
        let objects = folder + "/data/objects"
        try FileManager.default.createDirectory(atPath: objects, withIntermediateDirectories: true)
        try mount(objects, "size=8m")
        defer { _ = try? Program.run(["umount", "-l", objects]) }
        let server = try ServerProcess(
            ["--registration", "open", "--signatures", "optional"],
            folder: folder
        )
        let file = try FileOnItsWay(Device.new(server.client), FileOnItsWay.random(12 << 20))
        let complete = FileOnItsWay.draft + [("Upload-Complete", "?1")]
        let answers = try file.ask("PUT", complete, file.bytes)
        #expect(answers.map(\.verdict) == ["104", "507 insufficient-storage"])
        let offset = try file.offset()
        #expect(offset > 4 << 20 && offset < 8 << 20)
        #expect(try file.append(offset..<file.bytes.count, isLast: true).verdict == "507 insufficient-storage")
        #expect(try file.device.post(Preset().json).status == 201)
        try mount(objects, "remount,size=32m")
        #expect(try file.sendRest().status == 201)
        #expect(try file.device.complete(file.id, Device.movie).status == 200)
    }

    private func mount(_ folder: String, _ options: String) throws {
        let mount = try Program.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", folder])
        try #require(mount.status == 0, "\(mount.complaint)")
    }
}
