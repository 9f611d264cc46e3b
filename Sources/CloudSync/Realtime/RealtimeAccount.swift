/// The seats and devices of one account at this server, and the state that they see. It has no clock and no I/O: its home loop calls it,
/// and carries out its `effects`.
final class RealtimeAccount {
    static let seatsMax = 32
    static let waitsOfSessionMax = 4
    static let socketsOfSessionMax = 2
    static let openingsASecondMax = 5
    /// The limit of the states of all devices together.
    static let statesMaxBytes = 64 << 10
    /// The time without a socket after which a device is offline. An app that changes networks is back before that.
    static let offlineAfterMs: UInt64 = 5000
    static let streamSilenceMaxMs: UInt64 = 60_000
    /// The time for which the ids of delivered commands are kept: as long as the rows. If the database's clock is set back, an old command
    /// could be read as open again.
    static let deliveredKeptMs: UInt64 = 600_000

    /// A seat and its outgoing messages.
    struct Seated {
        let seat: RealtimeSeat
        let openedAtMs: UInt64
        /// The name of its device; the session's id if it has none.
        var device: String
        /// True if the session or a status has named the device.
        var isNamed = false
        /// True after the session was checked, and the state was read. Both happen after the registration of the seat.
        var isAdmitted = false
        /// True for an admitted socket. It gets messages.
        var isReady = false
        var out = Outgoing()
        /// The commands of the batch that the socket writes now.
        var writing: [WaitingCommand] = []
        /// The bytes of the last batch.
        var writingBytes = 0
        /// The time of the hint that caused the waiting notice; 0 without a hint.
        var noticeFromNs: UInt64 = 0
    }

    /// A device that has a socket at this server, or had its last one a few seconds ago.
    struct LocalDevice {
        let name: String
        var states = DeviceStates()
        /// The socket whose holder the states count for, and the bytes that count. It is one of the device's; nil before the first state, and
        /// without a socket.
        var payer: (seat: RealtimeSeat, bytes: Int)?
        var sockets = 0
        /// True if the device has opened a socket at another server since: the one here may be dead.
        var isOvertaken = false
        /// The end of its last socket; nil while it has one.
        var emptySinceMs: UInt64?
        /// The last write of its row.
        var writtenAtMs: UInt64 = 0
        /// True if a later change of its states has put the row on the list of rows to write.
        var isRowNoted = false

        /// True if the device's newest socket is here.
        var isCurrent: Bool { sockets > 0 && !isOvertaken }
    }

    /// A device at another server.
    struct RemoteDevice {
        let name: String
        let serverID: String
        let text: [UInt8]?
        let states: DeviceStates
    }

    /// The work that a change causes.
    struct Effects {
        var deliveries: [(seat: RealtimeSeat, delivery: RealtimeDelivery)] = []
        /// The devices with a row to write or to delete.
        var rows: [String] = []
        var commands: [(command: OpenCommand, delivery: CommandDelivery)] = []
        /// The times of hints, for notices that are sent now.
        var noticesFromNs: [UInt64] = []
        /// The number of states that were replaced before a socket had taken them.
        var superseded = 0
    }

    let id: AccountID
    /// In the order of their openings.
    var seats: [Seated] = []
    var local: [LocalDevice] = []
    var remote: [RemoteDevice] = []
    var heads = RealtimeHeads()
    /// Grows with each change of the state.
    var version = 0
    /// The commands that were given to a socket, or found none.
    var delivered: [(id: String, untilMs: UInt64)] = []
    var effects = Effects()
    private var openedAtMs: [UInt64] = []

    init(_ id: AccountID) { self.id = id }

    /// True if the account has no seats, no devices and no ids of commands: it can be forgotten.
    var isIdle: Bool { seats.isEmpty && local.isEmpty && delivered.isEmpty }

    func index(of seat: RealtimeSeat) -> Int? {
        for index in seats.indices where seats[index].seat === seat { return index }
        return nil
    }

    /// Returns the effects of all changes since the last call. A socket that has written its last batch gets the next one.
    func takeEffects(nowMs: UInt64) -> Effects {
        for index in seats.indices.reversed() where seats[index].out.isTooFarBehind {
            end(seats[index].seat, .databaseAway, nowMs: nowMs)
        }
        for index in seats.indices where seats[index].isReady && !seats[index].out.isEmpty {
            guard seats[index].seat.turn.ask() else { continue }
            let messages = batch(for: index, nowMs)
            guard !messages.isEmpty else { continue }
            let isAwaited = !seats[index].out.isEmpty || !seats[index].writing.isEmpty
            seats[index].seat.turn.begin(isAwaited: isAwaited)
            seats[index].writingBytes = messages.reduce(0) { $0 + $1.text.count }
            effects.deliveries.append((seats[index].seat, .messages(messages)))
        }
        var taken = Effects()
        swap(&taken, &effects)
        return taken
    }
}

// MARK: Seats

extension RealtimeAccount {
    /// Registers a seat. Returns false if the account or the session has too many, or opens them too fast.
    func open(_ seat: RealtimeSeat, nowMs: UInt64) -> Bool {
        openedAtMs.removeAll { $0 + 1000 <= nowMs }
        let waits = seats.filter { !$0.seat.isSocket && $0.seat.session == seat.session }.count
        guard seats.count < Self.seatsMax else { return false }
        if seat.isSocket {
            guard openedAtMs.count < Self.openingsASecondMax else { return false }
            openedAtMs.append(nowMs)
        } else if waits >= Self.waitsOfSessionMax {
            return false
        }
        seats.append(Seated(seat: seat, openedAtMs: nowMs, device: seat.sessionID))
        return true
    }

    /// Names the device of a seat whose session was found to be live. `device` is the name of the login; nil if it has none.
    func confirm(_ seat: RealtimeSeat, device: String?) {
        guard let index = index(of: seat), !seats[index].isReady, let device else { return }
        (seats[index].device, seats[index].isNamed) = (device, true)
    }

    /// Admits a seat whose session was checked. A socket gets the present state, and the oldest sockets of its session beyond the limit
    /// end. Returns the name of the device; nil if the seat has ended.
    func admit(_ seat: RealtimeSeat, nowMs: UInt64) -> String? {
        guard let index = index(of: seat) else { return nil }
        let name = seats[index].device
        seats[index].isAdmitted = true
        guard seat.isSocket, !seats[index].isReady else { return name }
        seats[index].isReady = true
        seats[index].out.addHeads()
        for device in names where device != name {
            for key in shown(device)?.keys(of: device) ?? [] { seats[index].out.add(key) }
        }
        join(name, seat)
        let own = seats.filter { $0.isReady && $0.seat.session == seat.session }.map(\.seat)
        for oldest in own.dropLast(Self.socketsOfSessionMax) { end(oldest, .replaced, nowMs: nowMs) }
        return name
    }

    /// Removes a seat, and tells its connection the reason.
    func end(_ seat: RealtimeSeat, _ end: RealtimeEnd, nowMs: UInt64) {
        guard index(of: seat) != nil else { return }
        leave(seat, nowMs: nowMs)
        effects.deliveries.append((seat, .ended(end)))
    }

    /// Removes a seat whose connection has ended. Does nothing if it is gone.
    func leave(_ seat: RealtimeSeat, nowMs: UInt64) {
        guard let index = index(of: seat) else { return }
        let gone = seats.remove(at: index)
        // A token that opens nothing must not keep the account's other sockets out.
        if seat.isSocket, !gone.isAdmitted, let opening = openedAtMs.firstIndex(of: gone.openedAtMs) {
            openedAtMs.remove(at: opening)
        }
        // A command whose write has begun may have arrived. Its deadline ends it.
        for command in gone.out.unsent { effects.commands.append((command, .unreachable)) }
        guard gone.isReady, let place = place(of: gone.device) else { return }
        part(seat, from: place)
        guard local[place].sockets == 0 else { return }
        local[place].emptySinceMs = nowMs
        // Nobody waits here for a device that is at another server.
        if remote.contains(where: { $0.name == gone.device }) { remove(gone.device) }
    }

    /// The socket has written its last batch, and the account waited for that. The socket may have left out a command whose time was over:
    /// its deadline ends it.
    func wrote(_ seat: RealtimeSeat, nowMs: UInt64) {
        guard let index = index(of: seat) else { return }
        seat.turn.free()
        for waiting in seats[index].writing where waiting.untilMs > nowMs {
            effects.commands.append((waiting.command, .written(speaksV2: seat.speaksV2)))
        }
        seats[index].writing = []
    }

    /// Counts a socket of that device, which may be new here.
    func join(_ name: String, _ seat: RealtimeSeat) {
        if let place = place(of: name) {
            changing(name) {
                local[place].sockets += 1
                local[place].emptySinceMs = nil
                local[place].isOvertaken = false
            }
            if local[place].payer == nil { charge(seat, at: place) }
            return
        }
        changing(name) {
            local.append(LocalDevice(name: name, sockets: 1))
        }
        effects.rows.append(name)
        version += 1
    }

    /// Counts a socket of that device less. If it has paid for the states, the newest other one does so from now on.
    func part(_ seat: RealtimeSeat, from place: Int) {
        local[place].sockets -= 1
        guard local[place].payer?.seat === seat else { return }
        local[place].payer = nil
        chargeNewest(at: place)
    }

    func place(of name: String) -> Int? {
        for place in local.indices where local[place].name == name { return place }
        return nil
    }

    /// Ends silent streams and devices without a socket, and forgets old ids of commands. Called once a second. Returns false if nothing
    /// has changed.
    func tick(nowMs: UInt64) -> Bool {
        let before = (version, delivered.count)
        for place in local.indices {
            let name = local[place].name
            let limitMs = nowMs.subtracting(Self.streamSilenceMaxMs)
            let ended = local[place].states.endStreams(silentSinceMs: limitMs, of: name)
            guard !ended.isEmpty else { continue }
            mark(ended)
            effects.rows.append(name)
        }
        let gone = local.filter { ($0.emptySinceMs ?? .max) <= nowMs.subtracting(Self.offlineAfterMs) }.map(\.name)
        for name in gone { remove(name) }
        delivered.removeAll { $0.untilMs + Self.deliveredKeptMs < nowMs }
        // An idle account keeps no array of them.
        if let last = openedAtMs.last, last + 1000 <= nowMs { openedAtMs = [] }
        return before != (version, delivered.count)
    }

    /// Forgets a device, which is then offline.
    func remove(_ name: String) {
        changing(name) { local.removeAll { $0.name == name } }
        effects.rows.append(name)
        version += 1
    }
}

extension UInt64 {
    /// At least 0.
    fileprivate func subtracting(_ other: UInt64) -> UInt64 { self > other ? self - other : 0 }
}
