import NeuroViewsClient
import SwiftUI

/// The one screen: presets, uploads, and the login while nobody is logged in.
struct CameraScreen: View {
    private let client: NeuroViews
    @State private var presets: ConfigurationList
    @State private var uploads: UploadList
    @State private var status: StatusView
    @State private var edited: StoredConfiguration?
    @State private var isChoosingFile = false
    @State private var failure: String?

    init(_ client: NeuroViews) {
        self.client = client
        presets = ConfigurationList(client)
        uploads = UploadList(client)
        status = StatusView(client)
    }

    var body: some View {
        NavigationStack {
            List {
                if needsLogIn { Section("Account") { LogInForm(client: client) } }
                Section("Presets") {
                    ForEach(presets.items) { stored in
                        Button {
                            edited = stored
                        } label: {
                            PresetRow(stored: stored)
                        }
                    }
                    .onDelete { places in
                        let ids = places.map { presets.items[$0].id }
                        act { for id in ids { try await client.delete(id) } }
                    }
                }
                Section("Uploads") {
                    ForEach(uploads.uploads) { UploadRow(upload: $0) }
                }
            }
            .navigationTitle("Camera")
            .toolbar {
                Button("New", systemImage: "plus") {
                    act { try await client.save(CameraConfiguration(name: "New preset", preset: .night)) }
                }
                Button("Upload", systemImage: "square.and.arrow.up") { isChoosingFile = true }
            }
            .refreshable { _ = try? await client.sync() }
        }
        .fileImporter(isPresented: $isChoosingFile, allowedContentTypes: [.movie, .image]) { upload($0) }
        .sheet(item: $edited) { PresetForm(client: client, stored: $0) }
        .alert(failure ?? "", isPresented: .constant(failure != nil)) { Button("OK") { failure = nil } }
        .task { await client.start() }
        .task { await presets.follow() }
        .task { await uploads.follow() }
        .task { await status.follow() }
    }

    private var needsLogIn: Bool {
        if case .signedIn = status.account { false } else { true }
    }

    /// Uploads a copy: the file that the user has chosen may go away, and the system reads it while the app sleeps.
    private func upload(_ chosen: Result<URL, any Error>) {
        act {
            let file = try chosen.get()
            let isOpen = file.startAccessingSecurityScopedResource()
            defer { if isOpen { file.stopAccessingSecurityScopedResource() } }
            let folder = URL.applicationSupportDirectory.appending(path: "films")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let copy = folder.appending(path: UUID().uuidString).appendingPathExtension(file.pathExtension)
            try FileManager.default.copyItem(at: file, to: copy)
            _ = try await client.upload(copy, RecordingMetadata(creationDate: Date()))
        }
    }

    /// Shows the error of what was tried. The library's errors name the remedy.
    private func act(_ body: @escaping @MainActor () async throws -> Void) {
        Task { do { try await body() } catch { failure = "\(error)" } }
    }
}
