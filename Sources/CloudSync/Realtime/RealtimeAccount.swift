/// One account at this server: who is there, and what they can see. Without clock or input: its home loop calls it, and carries out the
/// `effects`.
final class RealtimeAccount {
    static let seatsMax = 32
    static let waitsOfSessionMax = 4
    static let socketsOfSessionMax = 2
    static let openingsASecondMax = 5
    /// The states of all devices.
    static let statesMaxBytes = 64 << 10
    /// An app that changes networks comes back within it.
    static let offlineAfterMs: UInt64 = 5000
    static let streamSilenceMaxMs: UInt64 = 60_000
    /// As long as the rows of ended commands are kept: a database's clock may step back.
    static let deliveredKeptMs: UInt64 = 600_000

    /// A seat, and what it has still to get.
    struct Seated {
        let seat: RealtimeSeat
        /// The name of its device. Without one, the session's id.
        var device: String
        /// True: the session or a status has named the device.
        var isNamed = false
        /// True: the session was checked, and the state was read after the seat was registered.
        var isAdmitted = false
        /// The same for a socket: it gets messages.
        var isReady = false
        var out = Outgoing()
        /// The commands of the last batch, while the socket writes it.
        var writing: [OpenCommand] = []
        /// The bytes of the last batch.
        var writingBytes = 0
        /// When the hint of the waiting notice came; 0: none did.
        var noticeFromNs: UInt64 = 0
    }

    /// A device with a socket here, or that had one some seconds ago.
    struct LocalDevice {
        let name: String
        var states = DeviceStates()
        var sockets = 0
        var emptySinceMs: UInt64?
        /// When its row was last written.
        var writtenAtMs: UInt64 = 0
        /// True: a state has changed since then, and the row was noted.
        var isRowNoted = false
    }

    /// A device at another server.
    struct RemoteDevice {
        let name: String
        let serverID: String
        let text: [UInt8]?
        let states: DeviceStates
    }

    /// What has to be done after a change.
    struct Effects {
        var deliveries: [(seat: RealtimeSeat, delivery: RealtimeDelivery)] = []
        /// The devices whose rows must be written or deleted.
        var rows: [String] = []
        var commands: [(command: OpenCommand, delivery: CommandDelivery)] = []
        /// The times of the hints whose notices are being sent.
        var noticesFromNs: [UInt64] = []
        /// States that were replaced before a socket had taken them.
        var superseded = 0
    }

    let id: AccountID
    /// In the order of their openings.
    var seats: [Seated] = []
    var local: [LocalDevice] = []
    var remote: [RemoteDevice] = []
    var heads = RealtimeHeads()
    /// Changes with everything that a client can see.
    var version = 0
    /// The commands that were handed to a socket, or had none.
    var delivered: [(id: String, untilMs: UInt64)] = []
    var effects = Effects()
    private var openedAtMs: [UInt64] = []

    init(_ id: AccountID) { self.id = id }

    /// True: nobody is here, and nothing must be remembered.
    var isIdle: Bool { seats.isEmpty && local.isEmpty && delivered.isEmpty }

    func index(of seat: RealtimeSeat) -> Int? {
        for index in seats.indices where seats[index].seat === seat { return index }
        return nil
    }

    /// Returns the effects of all changes since the last call, with the next batch of each socket that has written its last one.
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
    /// False: the account or the session has too many, or opens too many at once.
    func open(_ seat: RealtimeSeat, nowMs: UInt64) -> Bool {
        openedAtMs.removeAll { $0 + 1000 <= nowMs }
        let waits = seats.filter { !$0.seat.isSocket && $0.seat.sessionID == seat.sessionID }.count
        guard seats.count < Self.seatsMax else { return false }
        if seat.isSocket {
            guard openedAtMs.count < Self.openingsASecondMax else { return false }
            openedAtMs.append(nowMs)
        } else if waits >= Self.waitsOfSessionMax {
            return false
        }
        seats.append(Seated(seat: seat, device: seat.sessionID))
        return true
    }

    /// The session is good, and has named this device at login; nil: none.
    func confirm(_ seat: RealtimeSeat, device: String?) {
        guard let index = index(of: seat), !seats[index].isReady, let device else { return }
        (seats[index].device, seats[index].isNamed) = (device, true)
    }

    /// Lets a seat take part. A socket gets a snapshot, and a surplus socket of its session ends. Returns the name of its device; nil: the
    /// seat has ended.
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
        join(name)
        let own = seats.filter { $0.isReady && $0.seat.sessionID == seat.sessionID }.map(\.seat)
        for oldest in own.dropLast(Self.socketsOfSessionMax) { end(oldest, .replaced, nowMs: nowMs) }
        return name
    }

    /// Ends a seat from this side.
    func end(_ seat: RealtimeSeat, _ end: RealtimeEnd, nowMs: UInt64) {
        guard index(of: seat) != nil else { return }
        leave(seat, nowMs: nowMs)
        effects.deliveries.append((seat, .ended(end)))
    }

    /// Removes a seat. Does nothing if it is gone.
    func leave(_ seat: RealtimeSeat, nowMs: UInt64) {
        guard let index = index(of: seat) else { return }
        let gone = seats.remove(at: index)
        // A command whose writing has begun may have arrived: only its deadline ends it.
        for command in gone.out.unsent { effects.commands.append((command, .unreachable)) }
        guard gone.isReady, let place = place(of: gone.device) else { return }
        local[place].sockets -= 1
        if local[place].sockets == 0 { local[place].emptySinceMs = nowMs }
    }

    /// The socket has written its last batch, whose end was awaited.
    func wrote(_ seat: RealtimeSeat) {
        guard let index = index(of: seat) else { return }
        seat.turn.free()
        for command in seats[index].writing { effects.commands.append((command, .written(speaksV2: seat.speaksV2))) }
        seats[index].writing = []
    }

    func join(_ name: String) {
        if let place = place(of: name) {
            local[place].sockets += 1
            local[place].emptySinceMs = nil
            return
        }
        changing(name) {
            local.append(LocalDevice(name: name, sockets: 1))
        }
        effects.rows.append(name)
        version += 1
    }

    func place(of name: String) -> Int? {
        for place in local.indices where local[place].name == name { return place }
        return nil
    }

    /// Each second: what ends by silence. Returns false if nothing did.
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
        return before != (version, delivered.count)
    }

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
