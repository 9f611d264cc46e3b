import Net
import TestSupport
import Testing

@testable import CloudSync

/// One account without hub and database. Its sockets write when a test lets them.
final class AccountScene {
    let account: RealtimeAccount
    private let loop: EventLoop
    var nowMs: UInt64 = 1_000_000
    private(set) var effects = RealtimeAccount.Effects()
    private var sessions = 0

    init(_ loop: EventLoop) throws {
        self.loop = loop
        account = RealtimeAccount(try #require(AccountID("5d2f6a2c-3b7e-4a6d-9c1b-0f3e8d7a6b5c")))
    }

    /// A new seat, which is not ready.
    func opened(_ door: RealtimeSeat.Door = .socket(speaksV2: true), session: Int? = nil) throws -> RealtimeSeat {
        sessions += 1
        let digits = String(1_000_000_000_000 + (session ?? sessions))
        let seat = RealtimeSeat(
            userID: account.id.text,
            sessionID: "00000000-0000-4000-8000-\(digits.dropFirst())",
            counter: 1,
            door: door,
            loop: loop,
            receive: { _ in }
        )
        return try #require(seat)
    }

    /// Opens a new seat. Returns false if it is refused.
    func opens(_ door: RealtimeSeat.Door = .socket(speaksV2: true), session: Int? = nil, atMs: UInt64) throws -> Bool {
        account.open(try opened(door, session: session), nowMs: atMs)
    }

    /// True if an event of the last effects was refused like that.
    func hasRefused(_ expected: PublishRefusal) -> Bool {
        effects.deliveries.contains { _, delivery in
            guard case .refused(let refusal, reply: _) = delivery else { return false }
            return refusal == expected
        }
    }

    /// A socket that takes part. It has written its snapshot.
    func socket(_ device: String?, speaksV2: Bool = true, session: Int? = nil) throws -> RealtimeSeat {
        let seat = try opened(.socket(speaksV2: speaksV2), session: session)
        #expect(account.open(seat, nowMs: nowMs))
        account.confirm(seat, device: device)
        _ = account.admit(seat, nowMs: nowMs)
        settle()
        account.wrote(seat, nowMs: nowMs)
        nowMs += 1000
        settle()
        return seat
    }

    /// Publishes an event with that data.
    func publish(_ kind: RealtimeEvent.Kind, _ data: String, from seat: RealtimeSeat) {
        account.publish(RealtimeEvent(kind, data: Array(data.utf8)), from: seat, reply: nil, nowMs: nowMs)
        settle()
    }

    /// Publishes a status. Returns its data.
    @discardableResult
    func status(_ device: String, _ status: String, from seat: RealtimeSeat) -> String {
        let data = #"{"device_id":"\#(device)","status":\#(status)}"#
        publish(.deviceStatus(deviceID: device, accepts: nil), data, from: seat)
        return data
    }

    /// Takes the effects of what was done.
    func settle() { effects = account.takeEffects(nowMs: nowMs) }

    /// Reads these rows of other servers, and those of this one.
    func read(_ rows: [FoundDevice]) {
        account.take(rows, ownRows: Set(account.local.map(\.name)), nowMs: nowMs)
        settle()
    }

    /// A device's row at another server, with a stream.
    func row(_ device: String, _ status: String, isAfterOwn: Bool = false) -> FoundDevice {
        let data = #"{"device_id":"\#(device)","status":\#(status)}"#
        return FoundDevice(
            account: account.id,
            name: device,
            serverID: "elsewhere",
            text: Array(#"{"status":\#(data),"streams":[{"id":"s","started":{}}]}"#.utf8),
            isAfterOwn: isAfterOwn
        )
    }

    /// The bytes that the last effects count for a seat.
    func charges(of seat: RealtimeSeat) -> [Int] {
        effects.deliveries.compactMap { found, delivery -> Int? in
            guard found === seat, case .states(let bytes) = delivery else { return nil }
            return bytes
        }
    }

    /// The messages of the last effects for a seat.
    func messages(for seat: RealtimeSeat) -> [String] {
        outputs(for: seat).map { String(decoding: $0.text, as: UTF8.self) }
    }

    /// The same as they are for the socket.
    func outputs(for seat: RealtimeSeat) -> [RealtimeOutput] {
        effects.deliveries.flatMap { found, delivery -> [RealtimeOutput] in
            guard found === seat, case .messages(let outputs) = delivery else { return [] }
            return outputs
        }
    }

    /// The seats that the last effects end, and why.
    func ended(_ seat: RealtimeSeat) -> RealtimeEnd? {
        for (found, delivery) in effects.deliveries where found === seat {
            if case .ended(let end) = delivery { return end }
        }
        return nil
    }

    /// The socket writes its batch and gets the next one.
    func write(_ seat: RealtimeSeat) -> [String] {
        account.wrote(seat, nowMs: nowMs)
        settle()
        return messages(for: seat)
    }

    /// A command for a device.
    func command(_ id: String, for device: String, remainingMs: Int = 10_000) -> OpenCommand {
        OpenCommand(
            account: account.id,
            id: id,
            sender: "watch",
            target: device,
            message: Array(#"{"command":"capture_photo"}"#.utf8),
            remainingMs: remainingMs
        )
    }
}
