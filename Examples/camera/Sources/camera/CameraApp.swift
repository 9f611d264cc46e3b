import NeuroViewsClient
import SwiftUI

/// An app of the library. It has one client for its whole life.
@main
struct CameraApp: App {
    @Environment(\.scenePhase) private var phase
    /// A failure may pass: secrets are locked until the device is unlocked for the first time. Nobody is logged out by it.
    @State private var client = Result { try CameraApp.open() }

    var body: some Scene {
        WindowGroup {
            switch client {
            case .success(let client): CameraScreen(client)
            case .failure(let error): ContentUnavailableView("\(error)", systemImage: "lock")
            }
        }
        .onChange(of: phase) { if phase == .active { _ = opened() } }
        .backgroundTask(.urlSession) { identifier in
            if let client = await opened() { await client.handleBackgroundEvents(identifier: identifier) }
        }
    }

    /// The client, after another attempt if there is none.
    private func opened() -> NeuroViews? {
        if case .failure = client { client = Result { try CameraApp.open() } }
        return try? client.get()
    }

    private static func open() throws -> NeuroViews {
        let address = ProcessInfo.processInfo.environment["NEUROVIEWS_SERVER"] ?? "http://127.0.0.1:8080"
        guard let server = URL(string: address) else { throw URLError(.badURL) }
        var options = Options()
        options.uploadsWhileAsleep = true
        return try NeuroViews(server: server, options)
    }
}
