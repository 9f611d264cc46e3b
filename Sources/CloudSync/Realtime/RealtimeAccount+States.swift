extension RealtimeAccount {
    /// Takes an event of a seat's device, for all other sockets.
    func publish(_ event: RealtimeEvent, from seat: RealtimeSeat, reply: String?, nowMs: UInt64) {
        guard let index = index(of: seat), seats[index].isReady else { return }
        if case .deviceStatus(let name, _) = event.kind {
            let own = seats[index].device
            guard name == own || !seats[index].isNamed else {
                return effects.deliveries.append((seat, .refused(.otherDevice(own: own), reply: reply)))
            }
            if name != own { rename(index, to: name, nowMs) }
            seats[index].isNamed = true
        }
        guard let place = place(of: seats[index].device) else { return }
        take(event, at: place, from: seat, reply, nowMs)
    }

    private func take(
        _ event: RealtimeEvent,
        at place: Int,
        from seat: RealtimeSeat,
        _ reply: String?,
        _ nowMs: UInt64
    ) {
        let name = local[place].name
        if local[place].isOvertaken { changing(name) { local[place].isOvertaken = false } }
        let (before, others) = (local[place].states.byteCount, statesBytes - local[place].states.byteCount)
        // An event adds no more than its data. Where that may be too much, a copy is kept to go back to.
        let most = before + event.data.count
        let old = most > DeviceStates.bytesMax || others + most > Self.statesMaxBytes ? local[place].states : nil
        let keys = local[place].states.take(event, of: name, nowMs: nowMs)
        let after = local[place].states.byteCount
        guard after <= DeviceStates.bytesMax, others + after <= Self.statesMaxBytes else {
            if let old { local[place].states = old }
            return effects.deliveries.append((seat, .refused(.statesTooLarge, reply: reply)))
        }
        charge(seat, at: place)
        noteRow(place)
        mark(keys, except: seat)
    }

    /// Once until the row is written.
    func noteRow(_ place: Int) {
        guard !local[place].isRowNoted else { return }
        local[place].isRowNoted = true
        effects.rows.append(local[place].name)
    }

    /// Counts the device's states for the holder of that socket, and for no other.
    func charge(_ seat: RealtimeSeat, at place: Int) {
        let (former, bytes) = (local[place].payer, Self.rounded(local[place].states.byteCount))
        guard former?.seat !== seat || former?.bytes != bytes else { return }
        if let former, former.seat !== seat { effects.deliveries.append((former.seat, .states(bytes: 0))) }
        local[place].payer = (seat: seat, bytes: bytes)
        effects.deliveries.append((seat, .states(bytes: bytes)))
    }

    func chargeNewest(at place: Int) {
        let name = local[place].name
        if let newest = seats.last(where: { $0.isReady && $0.device == name }) { charge(newest.seat, at: place) }
    }

    /// In steps, so that not every message changes it.
    private static func rounded(_ bytes: Int) -> Int { (bytes + 1023) / 1024 * 1024 }

    /// A device that comes over from another server counts once.
    var statesBytes: Int {
        var bytes = 0
        for place in local.indices { bytes += local[place].states.byteCount }
        for device in remote where place(of: device.name) == nil { bytes += device.states.byteCount }
        return bytes
    }

    /// A session without a device gets its name from the first status. What it has published goes along.
    private func rename(_ index: Int, to name: String, _ nowMs: UInt64) {
        let (seat, old) = (seats[index].seat, seats[index].device)
        seats[index].device = name
        join(name, seat)
        // Last: the socket may have paid for the states of the old name until now.
        defer { if let new = self.place(of: name) { charge(seat, at: new) } }
        guard let place = place(of: old) else { return }
        part(seat, from: place)
        guard local[place].sockets == 0 else { return }
        let states = local[place].states
        remove(old)
        guard let new = self.place(of: name), local[new].states.byteCount == 0 else { return }
        changing(name) { local[new].states = states }
    }

    /// The names of all connected devices, in order.
    var names: [String] { Set(local.map(\.name) + remote.map(\.name)).sorted() }

    /// The states of a device for the others; nil: it is not connected. The server with its newest socket comes first. A device that has just
    /// come over shows the other server's states.
    func shown(_ name: String) -> DeviceStates? {
        let here = place(of: name)
        if let here, local[here].isCurrent, local[here].states.byteCount > 0 { return local[here].states }
        let elsewhere = remote.first { $0.name == name }?.states
        if let elsewhere, elsewhere.byteCount > 0 { return elsewhere }
        return here.map { local[$0].states } ?? elsewhere
    }

    /// The state as a client sees it.
    func state(serverID: String) -> RealtimeState {
        let devices = names.map { name in
            let states = shown(name)
            let isHere = local.contains { $0.name == name && $0.isCurrent }
            let elsewhere = remote.first { $0.name == name }?.serverID
            return RealtimeDevice(
                name: name,
                isConnected: isHere || elsewhere != nil,
                serverID: isHere ? serverID : elsewhere ?? serverID,
                status: states?.status,
                accepts: states?.accepts,
                streams: states?.streams ?? []
            )
        }
        return RealtimeState(version: version, heads: heads, devices: devices)
    }

    /// Tells the sockets the effect of a change of a device's place or states.
    func changing(_ name: String, _ body: () -> Void) {
        let before = shown(name)
        body()
        mark(DeviceStates.changes(from: before, to: shown(name), of: name))
    }

    func mark(_ keys: [StateKey], except sender: RealtimeSeat? = nil) {
        guard !keys.isEmpty else { return }
        version += 1
        for index in seats.indices where seats[index].isReady && seats[index].seat !== sender {
            for key in keys where !seats[index].out.add(key) { effects.superseded += 1 }
        }
    }

    /// Returns the change of the device's row, and notes that it is being written.
    func rowChange(of name: String, nowMs: UInt64) -> DeviceRows.Change {
        guard let place = place(of: name) else { return .delete }
        local[place].writtenAtMs = nowMs
        local[place].isRowNoted = false
        return .write(local[place].states.rowText)
    }

    /// When the device's row was last written; 0: never, or the device is gone.
    func rowWrittenAtMs(of name: String) -> UInt64 { place(of: name).map { local[$0].writtenAtMs } ?? 0 }
}
