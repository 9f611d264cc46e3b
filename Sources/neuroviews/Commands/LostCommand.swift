import FoundationEssentials
import NeuroViewsClient

/// `lost`: edits that did not survive.
enum LostCommand {
    static let columns = ["N", "CONFIGURATION", "AT", "REASON", "MEMBER", "VALUE"]

    static func run(_ call: CommandCall) async throws(Failure) -> Ending {
        let device = try call.device()
        switch (call.words.first, call.words.count) {
        case (nil, _): return try await list(call, device)
        case ("bring-back", 2):
            let entry = try await entry(call, device)
            let id = try await asking { () async throws(ClientError) in try await device.bringBack(entry) }
            call.output.result(["id": .string(id.text)], id.text + "\n")
            return try await call.finish(device, changed: [id])
        case ("forget", 2):
            let entry = try await entry(call, device)
            try await asking { () async throws(ClientError) in try await device.forget(entry) }
            call.output.result(["forgotten": .number(.init(entry))], "")
            return .done
        default: throw call.entry.misuse
        }
    }

    private static func entry(_ call: CommandCall, _ device: NeuroViews) async throws(Failure) -> LostEdit.ID {
        let lost = try await asking { () async throws(ClientError) in try await device.lost() }
        guard let number = Int64(call.words[1]), lost.contains(where: { $0.id == number }) else {
            throw Failure("There is no lost edit \(call.words[1]): neuroviews lost lists them.", .noInput)
        }
        return number
    }

    private static func list(_ call: CommandCall, _ device: NeuroViews) async throws(Failure) -> Ending {
        let lost = try await asking { () async throws(ClientError) in try await device.lost() }
        call.output.result(
            ["lost": .array(lost.map(json))],
            Table(
                columns,
                lost.map { edit in
                    [
                        "\(edit.id)", edit.item.text, edit.at.text, edit.reason.word,
                        edit.pointer ?? (edit.kind == .deletion ? "(deletion)" : "(document)"), edit.value?.text ?? "",
                    ]
                }
            )
        )
        return .done
    }

    private static func json(_ edit: LostEdit) -> JSONValue {
        var entry: JSONValue.Object = [
            "n": .number(.init(edit.id)), "id": .string(edit.item.text), "reason": .string(edit.reason.word),
            "pointer": edit.pointer.map { .string($0) } ?? .null, "at": .string(edit.at.text),
            "deletion": .bool(edit.kind == .deletion),
        ]
        // A member without one was removed; null is a value, too.
        if let value = edit.value { entry["value"] = value }
        return .object(entry)
    }
}

extension LostEdit.Reason {
    var word: String {
        switch self {
        case .conflict: "conflict"
        case .deletedElsewhere: "deleted_elsewhere"
        case .changedElsewhere: "changed_elsewhere"
        case .deletedUnseen: "deleted_unseen"
        case .replacedByFullSet: "replaced_by_full_set"
        case .unreadable: "unreadable"
        }
    }
}
