import NeuroViewsClient
import SwiftUI

/// A preset, and how far its edits have come.
struct PresetRow: View {
    let stored: StoredConfiguration

    var body: some View {
        VStack(alignment: .leading) {
            Text(stored.configuration.name)
            switch stored.state {
            case .synced: EmptyView()
            case .unsent, .waiting: note("on this device only")
            case .refused(let problem): note("\(problem)")
            case .held: note("Others deleted it: edit it to keep it, or delete it.")
            @unknown default: EmptyView()
            }
        }
    }

    private func note(_ text: String) -> some View { Text(text).font(.caption).foregroundStyle(.secondary) }
}

/// An upload with its progress.
struct UploadRow: View {
    let upload: Upload

    var body: some View {
        VStack(alignment: .leading) {
            Text(upload.file.lastPathComponent).lineLimit(1)
            switch upload.state {
            case .done: Text("stored and verified").font(.caption)
            case .failed(let reason): Text("\(reason)").font(.caption)
            case .waiting: Text(upload.interruption.map { "\($0)" } ?? "waits").font(.caption)
            default: ProgressView(value: Double(upload.sent), total: Double(max(upload.size, 1)))
            }
        }
    }
}

/// The edit of a preset. Each assignment is one member: what other devices set meanwhile stays.
struct PresetForm: View {
    let client: NeuroViews
    let stored: StoredConfiguration
    @State private var name = ""
    @State private var iso = 100.0
    @State private var failure: String?
    @Environment(\.dismiss) private var dismiss

    var body: some View {
        Form {
            TextField("Name", text: $name)
            Slider(value: $iso, in: 50...6400, step: 50) { Text("ISO") }
            Text("ISO \(Int(iso))")
            if let failure { Text(failure).foregroundStyle(.red) }
            Button("Save") { save() }
        }
        .onAppear {
            name = stored.configuration.name
            iso = stored.configuration.exposure.iso ?? iso
        }
    }

    private func save() {
        let (name, iso, former) = (name, iso, stored.configuration)
        Task {
            do {
                try await client.edit(stored.id) { preset in
                    if name != former.name { preset.name = name }
                    if iso != former.exposure.iso { preset.exposure.iso = iso }
                }
                dismiss()
            } catch {
                failure = "\(error)"
            }
        }
    }
}
