import Foundation
import NeuroViewsClient

extension Presets {
    /// Shows what is on this device, the newest after a sync.
    func list() async throws {
        await sync()
        for stored in try await client.configurations() { print(line(stored)) }
    }

    /// Makes a preset. It is on the disk before anything is sent.
    func make(_ name: String) async throws {
        let exposure = ExposureSettings(mode: .manual, iso: 400, shutterSpeed: 0.02)
        let stored = try await client.save(CameraConfiguration(name: name, preset: .night, exposure: exposure))
        print(line(stored))
        await sync()
    }

    /// Sets one member. What other devices set meanwhile stays.
    func setISO(_ id: String, _ number: String) async throws {
        guard let id = UUID(uuidString: id), let iso = Double(number) else { throw Wrong.argument("ID and NUMBER") }
        print(line(try await client.edit(id) { $0.exposure.iso = iso }))
        await sync()
    }

    /// Deletes a preset.
    func delete(_ id: String) async throws {
        guard let id = UUID(uuidString: id) else { throw Wrong.argument("ID") }
        try await client.delete(id)
        await sync()
    }

    /// Shows which edits did not survive.
    func lost() async throws {
        for edit in try await client.lost() {
            print(edit.id, edit.item, edit.reason, edit.pointer ?? "", edit.value?.text ?? "")
        }
    }

    /// One preset in one line.
    func line(_ stored: StoredConfiguration) -> String {
        let configuration = stored.configuration
        let iso = configuration.exposure.iso.map { "ISO \($0)" } ?? "no ISO"
        return "\(stored.id) \(configuration.name), \(configuration.preset.rawValue), \(iso): \(text(stored.state))"
    }

    private func text(_ state: ItemState) -> String {
        switch state {
        case .synced: "synced"
        case .unsent, .waiting: "on this device"
        case .refused(let problem): "refused: \(problem)"
        case .held: "deleted elsewhere: edit it to keep it, or delete it"
        @unknown default: "\(state)"
        }
    }
}

/// A wrong word of the command line.
enum Wrong: Error, CustomStringConvertible {
    case argument(String)

    var description: String {
        switch self {
        case .argument(let name): "\(name) can't be read"
        }
    }
}
