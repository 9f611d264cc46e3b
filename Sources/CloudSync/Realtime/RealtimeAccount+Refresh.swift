extension RealtimeAccount {
    /// `hintedAtNs` is the time of the hint; 0: a sweep.
    func take(_ new: RealtimeHeads, hintedAtNs: UInt64) {
        guard new != heads else { return }
        heads = new
        version += 1
        for index in seats.indices where seats[index].isReady {
            if !seats[index].out.addHeads() { effects.superseded += 1 }
            if seats[index].noticeFromNs == 0 { seats[index].noticeFromNs = hintedAtNs }
        }
    }

    /// Takes the devices at other servers, oldest rows first, and the names of those that this server has rows of.
    func take(_ found: [FoundDevice], ownRows: Set<String>, nowMs: UInt64) {
        let former = remote
        let before = Dictionary(uniqueKeysWithValues: names.map { ($0, shown($0)) })
        // Of two servers, the one with the newer row counts.
        var newest: [String: RemoteDevice] = [:]
        for device in found { newest[device.name] = read(device) }
        remote = newest.values.sorted { $0.name < $1.name }
        for place in local.indices { compare(place, with: found, former) }
        for device in former where device.states.byteCount > 0 { inherit(device, nowMs) }
        let after = Set(names)
        if after != Set(before.keys) { version += 1 }
        for name in after.union(before.keys).sorted() {
            mark(DeviceStates.changes(from: before[name] ?? nil, to: shown(name), of: name))
        }
        // A crash of the database empties the table, and a stray row has no device.
        effects.rows += ownRows.symmetricDifference(local.map(\.name)).sorted()
    }

    /// Another server's row that is new, and newer than the one here, is of a newer socket.
    private func compare(_ place: Int, with found: [FoundDevice], _ former: [RemoteDevice]) {
        let name = local[place].name
        let newest = found.last { $0.name == name }
        let known = former.first { $0.name == name }
        if newest?.serverID != known?.serverID { local[place].isOvertaken = newest?.isAfterOwn == true }
    }

    /// The device's sockets at another server have ended, and one here has sent no state yet: those that the others know still hold.
    private func inherit(_ device: RemoteDevice, _ nowMs: UInt64) {
        guard !remote.contains(where: { $0.name == device.name }), let place = place(of: device.name),
            local[place].sockets > 0, local[place].states.byteCount == 0,
            statesBytes + device.states.byteCount <= Self.statesMaxBytes
        else { return }
        local[place].states = device.states
        local[place].states.touchStreams(nowMs: nowMs)
        chargeNewest(at: place)
        noteRow(place)
    }

    /// Most rows have not changed.
    private func read(_ found: FoundDevice) -> RemoteDevice {
        if let known = remote.first(where: { $0.name == found.name && $0.serverID == found.serverID }),
            known.text == found.text
        {
            return known
        }
        let states = DeviceStates(rowText: found.text)
        return RemoteDevice(name: found.name, serverID: found.serverID, text: found.text, states: states)
    }

    /// Hands a command to the newest socket of its device, the first time only. Its time counts from `readMs`.
    func take(_ command: OpenCommand, readMs: UInt64) {
        guard !delivered.contains(where: { $0.id == command.id }) else { return }
        let untilMs = readMs + UInt64(max(0, command.remainingMs))
        delivered.append((command.id, untilMs))
        let waiting = WaitingCommand(command: command, untilMs: untilMs)
        guard let index = seats.lastIndex(where: { $0.isReady && $0.device == command.target }),
            seats[index].out.add(waiting)
        else { return effects.commands.append((command, .unreachable)) }
    }
}
