import NeuroViewsCrypto
import NeuroViewsJSON
import NeuroViewsRules

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension SessionRecord {
    /// A record of another number was written by a newer version of the library.
    private static let version: Int64 = 1

    /// Reads a stored record; nil if it is none.
    init?(_ bytes: [UInt8]) {
        guard let json = try? JSONParser.parse(bytes, policy: .rfc8259), json.object != nil,
            json["version"]?.number?.int64 == Self.version
        else { return nil }
        deviceID = json["device"]?.string
        systemID = json["system"]?.string
        account = json["account"].flatMap { Account($0) }
        login = json["login"].flatMap { Login($0) }
        problem = json["problem"].flatMap { NeuroViewsRules.Problem(json: $0) }.map { Problem($0) }
        isLogInRefused = json["log_in_refused"]?.bool ?? false
        isErasing = json["erasing"]?.bool ?? false
        clockS = json["clock"]?.number?.int64 ?? 0
    }

    /// The record for storing.
    var bytes: [UInt8] {
        var object = JSONObject([
            .init(name: "version", value: .number(JSONNumber(Self.version))),
            .init(name: "log_in_refused", value: .bool(isLogInRefused)),
            .init(name: "erasing", value: .bool(isErasing)),
            .init(name: "clock", value: .number(JSONNumber(clockS))),
        ])
        let optional: [(String, JSON?)] = [
            ("device", deviceID.map { .string($0) }), ("system", systemID.map { .string($0) }),
            ("account", account?.json), ("login", login?.json), ("problem", problem?.short),
        ]
        for (name, value) in optional { if let value { object.set(name, to: value) } }
        return JSON.object(object).serialized()
    }
}

extension Account {
    /// Reads `user` of an answer, and a stored account. The id names a folder, so it must be a UUID.
    init?(_ user: JSON) {
        guard let id = user["id"]?.string.flatMap({ UUID(uuidString: $0) }) else { return nil }
        self.init(id: id, email: user["email"]?.string)
    }

    fileprivate var json: JSON {
        var object = JSONObject([.text("id", id.uuidString.lowercased())])
        if let email { object.set("email", to: .string(email)) }
        return .object(object)
    }
}

extension SessionRecord.Login {
    fileprivate init?(_ json: JSON) {
        guard let receivedAt = json["received_at"]?.number?.int64 else { return nil }
        self.init(token: json["token"]?.string, key: json["key"]?.string, receivedAt: receivedAt)
        attempt = json["attempt"]?.string.flatMap { UUID(uuidString: $0) }
    }

    fileprivate var json: JSON {
        var object = JSONObject([.text("token", token), .text("key", Base64.padded.encode(key))])
        object.set("received_at", to: .number(JSONNumber(receivedAt)))
        if let attempt { object.set("attempt", to: .string(attempt.uuidString.lowercased())) }
        return .object(object)
    }
}

extension Problem {
    /// The members that a person is shown, since a secret has room for little.
    fileprivate var short: JSON {
        let shown = rules.members.members.filter { ["type", "title", "detail", "status"].contains($0.name) }
        return .object(JSONObject(shown))
    }
}
