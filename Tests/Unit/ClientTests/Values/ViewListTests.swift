import Foundation
import TestSupport
import Testing

@testable import NeuroViewsClient

@MainActor
@Suite("Lists for views", .timeLimit(.minutes(Patience.minutes(1))))
struct ViewListTests {
    private let client: NeuroViews

    /// Nobody listens at the port: everything stays on the device.
    init() throws {
        var options = Options()
        options.folder = URL(fileURLWithPath: Sandbox.makeFolder() + "/stores")
        client = try NeuroViews(server: try #require(URL(string: "http://127.0.0.1:9")), options)
    }

    private func names(_ list: ConfigurationList) -> [String] { list.items.map(\.configuration.name) }

    @Test("The list of configurations follows edits, by name")
    func configurations() async throws {
        let list = ConfigurationList(client)
        _ = try await client.save(CameraConfiguration(name: "Night"))
        let following = Task { await list.follow() }
        try await eventually { self.names(list) == ["Night"] }
        let day = try await client.save(CameraConfiguration(name: "Day"))
        try await eventually { self.names(list) == ["Day", "Night"] }
        _ = try await client.edit(day.id) { $0.name = "Sunset" }
        try await eventually { self.names(list) == ["Night", "Sunset"] }
        try await client.delete(day.id)
        try await eventually { self.names(list) == ["Night"] }
        #expect(list.failure == nil)
        following.cancel()
        await following.value
    }

    @Test("Many changes at once are read together")
    func many() async throws {
        let list = ConfigurationList(client)
        let following = Task { await list.follow() }
        for number in 100..<200 { _ = try await client.save(CameraConfiguration(name: "\(number)")) }
        try await eventually { self.names(list) == (100..<200).map { "\($0)" } }
        following.cancel()
        await following.value
    }

    @Test("The status follows edits")
    func status() async throws {
        let view = StatusView(client)
        let following = Task { await view.follow() }
        try await eventually { view.status?.unsent == 0 }
        #expect(view.account == .signedOut)
        _ = try await client.save(CameraConfiguration(name: "Night"))
        try await eventually { view.status?.unsent == 1 }
        following.cancel()
        await following.value
    }

    @Test("The list of uploads has a new one, its state, and none that was cancelled")
    func uploads() async throws {
        let file = URL(fileURLWithPath: Sandbox.makeFolder() + "/video.mov")
        try Data("video".utf8).write(to: file)
        let list = UploadList(client)
        let following = Task { await list.follow() }
        let upload = try await client.upload(file, RecordingMetadata())
        try await eventually { list.uploads.map(\.id) == [upload.id] }
        try await client.pauseUpload(upload.id)
        try await eventually { list.uploads.first?.state == .paused }
        try await client.cancelUpload(upload.id)
        try await eventually { list.uploads.isEmpty }
        following.cancel()
        await following.value
    }
}
