import NeuroViewsClient
import SwiftUI

/// An app of the library. It has one client for its whole life.
@main
struct CameraApp: App {
    private let client = Result { try CameraApp.open() }

    var body: some Scene {
        WindowGroup {
            switch client {
            case .success(let client): CameraScreen(client)
            // Such as a device that has not been unlocked since its start: nobody is logged out by it.
            case .failure(let error): ContentUnavailableView("\(error)", systemImage: "lock")
            }
        }
        .backgroundTask(.urlSession) { [client] identifier in
            if case .success(let client) = client { await client.handleBackgroundEvents(identifier: identifier) }
        }
    }

    private static func open() throws -> NeuroViews {
        let address = ProcessInfo.processInfo.environment["NEUROVIEWS_SERVER"] ?? "http://127.0.0.1:8080"
        guard let server = URL(string: address) else { throw URLError(.badURL) }
        var options = Options()
        options.uploadsWhileAsleep = true
        return try NeuroViews(server: server, options)
    }
}
