import Foundation
import TestSupport

/// A client by the README's contract: what it keeps, and how it syncs. It neither pages nor merges, and after a reset it insists on
/// what was deleted here.
struct SyncingDevice {
    /// What an edit began from.
    enum Base: Equatable {
        /// The server doesn't have the item.
        case none
        /// The version's tag.
        case version(String)
        /// The server's history is another one than the edit began in.
        case forgotten
    }

    struct Item: Equatable {
        /// nil: deleted here.
        var preset: Preset?
        var base: Base
        var isDirty: Bool
        /// The tag of a version that a pull has brought meanwhile.
        var newer: String?

        static func == (left: Item, right: Item) -> Bool {
            (left.preset?.json, left.base, left.isDirty) == (right.preset?.json, right.base, right.isDirty)
        }
    }

    var device: Device
    /// By id.
    private(set) var items: [String: Item] = [:]
    private(set) var token: String?
    /// The Sync-Head of each write that was answered since the last stored pull.
    private var heads: [String] = []
    /// What the server takes in `seen`.
    private static let headsMax = 32
    /// Every document that the server answered: it must have kept it.
    private(set) var sent: Set<String> = []
    /// How often an answer said that everything is to be begun anew.
    private(set) var resets = 0

    init(_ device: Device) { self.device = device }

    mutating func edit(_ preset: Preset) {
        let known = items[preset.id]
        items[preset.id] = Item(preset: preset, base: known?.base ?? .none, isDirty: true, newer: known?.newer)
    }

    mutating func delete(_ id: String) {
        guard let known = items[id] else { return }
        items[id] = known.base == .none ? nil : Item(preset: nil, base: known.base, isDirty: true, newer: known.newer)
    }

    /// `minute` is the time of an edit that merges two others.
    mutating func sync(minute: Int) throws {
        try pull()
        let dirty = items.filter(\.value.isDirty).keys.sorted()
        for id in dirty { try push(id, minute) }
        if !dirty.isEmpty { try pull() }
    }

    mutating func pull() throws {
        let seen = heads.isEmpty ? "" : "&seen=" + heads.joined(separator: ",")
        let answer = try device.pull(token.map { "sync_token=\($0)\(seen)" } ?? "")
        guard answer.status == 200 else { throw Program.Failure("pull: \(answer.verdict)") }
        let versions = answer.json["versions"] as? [String: String] ?? [:]
        if answer.json["reset"] as? Bool == true { reset(Set(versions.keys)) }
        for text in answer.rawElements("configurations") {
            let preset = try Preset(json: text)
            store(preset, preset.id, versions[preset.id])
        }
        for id in answer.json["deleted"] as? [String] ?? [] { store(nil, id, versions[id]) }
        token = answer.string("sync_token")
        heads = []
    }

    /// What isn't dirty and isn't listed goes; what is dirty begins anew.
    private mutating func reset(_ listed: Set<String>) {
        resets += 1
        for (id, item) in items {
            let isListed = listed.contains(id)
            if !item.isDirty || (!isListed && item.preset == nil) {
                if !isListed { items[id] = nil }
            } else {
                items[id]?.base = isListed ? .forgotten : .none
                items[id]?.newer = nil
            }
        }
    }

    private mutating func store(_ preset: Preset?, _ id: String, _ tag: String?) {
        guard let tag else { return }
        if items[id]?.isDirty == true {
            items[id]?.newer = tag
        } else {
            items[id] = preset.map { Item(preset: $0, base: .version(tag), isDirty: false) }
        }
    }

    private mutating func push(_ id: String, _ minute: Int) throws {
        for _ in 0..<10 where items[id]?.isDirty == true {
            if heads.count == Self.headsMax { try pull() }
            guard let item = items[id] else { return }
            let answer = try send(item, id)
            guard let head = answer.field("sync-head") else { throw Program.Failure("no Sync-Head: \(answer.verdict)") }
            heads.append(head)
            try take(answer, item, id, minute)
        }
    }

    private func send(_ item: Item, _ id: String) throws -> HTTPAnswer {
        var fields: APIClient.Fields = []
        if case .version(let tag) = item.base { fields = [("If-Match", "\"\(tag)\"")] }
        guard let preset = item.preset else { return try device.delete(id, fields) }
        return item.base == .none ? try device.post(preset.json) : try device.put(id, preset.json, fields)
    }

    private mutating func take(_ answer: HTTPAnswer, _ item: Item, _ id: String, _ minute: Int) throws {
        let current = answer.raw("current").flatMap { try? Preset(json: $0) }
        switch (answer.status, item.preset) {
        case (200, nil), (404, nil): items[id] = nil
        case (200, let preset?), (201, let preset?):
            sent.insert(preset.json)
            items[id] = Item(preset: preset, base: .version(answer.tag), isDirty: false)
            if let newer = item.newer, Self.number(newer) > Self.number(answer.tag) { try refetch(id) }
        case (412, let preset):
            // Merged in the simplest way: this device's edit is made again, on what the server has.
            guard current != nil else {
                items[id] = nil
                return
            }
            items[id]?.preset = preset.map { Preset($0.name, id: id, kind: $0.kind, minute: minute) }
            items[id]?.base = .version(answer.tag)
        case (409, let preset):
            if let preset { sent.insert(preset.json) }
            items[id] = current.map { Item(preset: $0, base: .version(answer.tag), isDirty: false) }
        default: throw Program.Failure("push \(id): \(answer.verdict) \(answer.text)")
        }
    }

    private mutating func refetch(_ id: String) throws {
        let answer = try device.get(id)
        items[id] =
            answer.status == 404
            ? nil : Item(preset: try Preset(json: answer.text), base: .version(answer.tag), isDirty: false)
    }

    /// The number orders the versions of an item within one history.
    private static func number(_ tag: String) -> Int { tag.split(separator: "-").first.flatMap { Int($0) } ?? 0 }
}

extension Preset {
    /// Takes a document of these tests apart.
    init(json: String) throws {
        let object = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any] ?? [:]
        self.init(
            object["name"] as? String ?? "",
            id: object["id"] as? String ?? "",
            kind: object["preset"] as? String ?? "",
            modifiedAt: object["modified_at"] as? String
        )
    }
}
