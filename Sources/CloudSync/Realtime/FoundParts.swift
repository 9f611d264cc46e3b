/// What was read, by account.
struct FoundParts {
    /// When the hint came (0: a sweep), when the read began, and now.
    struct Times {
        let hintedNs: UInt64
        let beganMs: UInt64
        let nowMs: UInt64
    }

    private var live: [ObjectIdentifier: LiveSeat] = [:]
    private var asked: [AccountID: [RealtimeSeat]] = [:]
    private var heads: [AccountID: RealtimeHeads] = [:]
    private var remote: [AccountID: [FoundDevice]] = [:]
    private var own: [AccountID: Set<String>] = [:]
    private var commands: [AccountID: [OpenCommand]] = [:]

    init(_ found: Refresh.Found, _ refresh: Refresh, serverID: String) {
        for seat in refresh.seats { asked[seat.account, default: []].append(seat) }
        for seat in found.live where refresh.seats.indices.contains(seat.number - 1) {
            live[ObjectIdentifier(refresh.seats[seat.number - 1])] = seat
        }
        for head in found.heads {
            let place: WritableKeyPath<RealtimeHeads, String> = head.isOfRecordings ? \.recordings : \.configurations
            heads[head.account, default: RealtimeHeads()][keyPath: place] = head.token.text
        }
        for var device in found.devices {
            if device.serverID == serverID {
                own[device.account, default: []].insert(device.name)
            } else {
                device.isAfterOwn = own[device.account]?.contains(device.name) == true
                remote[device.account, default: []].append(device)
            }
        }
        for command in found.commands { commands[command.account, default: []].append(command) }
    }

    /// Gives an account what was read of it. Only the seats that were asked about are judged.
    func give(to account: RealtimeAccount, _ kinds: HintKinds, _ times: Times) {
        for seat in asked[account.id] ?? [] {
            if let found = live[ObjectIdentifier(seat)] {
                account.confirm(seat, device: found.device)
            } else {
                account.end(seat, .sessionEnded, nowMs: times.nowMs)
            }
        }
        if let heads = heads[account.id] { account.take(heads, hintedAtNs: times.hintedNs) }
        if kinds.contains(.devices) {
            account.take(remote[account.id] ?? [], ownRows: own[account.id] ?? [], nowMs: times.nowMs)
        }
        for command in commands[account.id] ?? [] { account.take(command, readMs: times.beganMs) }
    }
}
