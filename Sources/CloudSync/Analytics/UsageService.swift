import JSONSchema
import Net
import Postgres

/// Figures of an account's usage: from the daily counts of its events, and from its stored data.
package struct UsageService: Sendable {
    /// Limit of days in a range.
    package static let daysMax = 366

    /// The bytes of a day's figures in an answer.
    private static let bytesOfDay = 160

    private let database: CallerDatabase
    private let work: LargeWork

    /// Reads `database`, and computes in `work`.
    package init(database: Database, work: LargeWork) {
        self.database = CallerDatabase(database)
        self.work = work
    }

    /// Returns what `form` makes of the figures of a range of days in an IANA time zone. Throws `.unprocessable` and `.overloaded`.
    package func usage<Form: Sendable>(
        _ range: DateRange,
        zone: String,
        for caller: Caller,
        as form: @escaping @Sendable (Usage) -> Form
    ) async throws -> Form {
        try Self.check(range, zone)
        let (ends, user) = (Self.ends(range), Parameter.text(caller.userID))
        let current = Parameter.text(TimeZoneNames.current(zone))
        let derived = [user] + ends + [current]
        // Each in a turn of its own, so that other accounts have theirs in between.
        let events = UsageSQL.events([user] + ends)
        let (days, rows) = try await Self.naming {
            try await database.readRows(for: caller, on: .large, UsageSQL.days([current] + ends), then: events.step)
        }
        let recordings = try await read(ItemUsageSQL.recordings(derived), for: caller)
        let uploads = try await read(ItemUsageSQL.uploads(derived), for: caller)
        let changes = try await read(ItemUsageSQL.changes(derived), for: caller)
        let presets = try await read(ItemUsageSQL.presets(derived), for: caller)
        return try await work.run(over: rows.memoryBytes + range.count * Self.bytesOfDay, for: caller) {
            var usage = Usage(range, zone)
            usage.add(try Self.tally(try events.values(of: rows), days))
            usage.add(recordings)
            for upload in uploads { usage.addUploads(upload.bytes, on: upload.day) }
            for change in changes { usage.setChanges(change.count, on: change.day) }
            usage.presets = Usage.Preset.list(presets)
            return form(usage)
        }
    }

    static func ends(_ range: DateRange) -> [Parameter] { [.int(range.first.number), .int(range.last.number)] }

    static func tally(_ rows: [UsageSQL.EventRow], _ days: [ZonedDays]) throws -> EventTally {
        guard let days = days.first else { throw UnexpectedResult("a zone has no days") }
        var tally = EventTally(days)
        for row in rows {
            switch row {
            case .device(let device, let counts): tally.add(device: device, counts)
            case .name(let name, let count): tally.add(name: name, count: count)
            case .nameAtAnEnd(let name, let counts): tally.add(name: name, counts)
            }
        }
        return tally
    }

    /// Throws for a range that is too long or an unknown zone.
    private static func check(_ range: DateRange, _ zone: String) throws(CloudSyncError) {
        if range.count > daysMax {
            let detail = "must be a range of at most \(daysMax) days from start_date, is \(range.count)"
            throw .unprocessable([Violation(pointer: "/end_date", keyword: "maximum", detail: detail)])
        }
        if !TimeZoneNames.contains(zone) { throw unknownZone }
    }

    private func read<Value>(_ query: BoundQuery<Value>, for caller: Caller) async throws -> [Value] {
        try await Self.naming { try await database.read(for: caller, on: .large, query) }
    }

    /// PostgreSQL's list of zones may be older than this server's.
    private static func naming<Result>(_ read: () async throws -> Result) async throws -> Result {
        do {
            return try await read()
        } catch DatabaseError.refused(let refusal) where refusal.state == "22023" {
            throw unknownZone
        }
    }

    private static let unknownZone = CloudSyncError.unprocessable([
        Violation(
            pointer: "/tz",
            keyword: "enum",
            detail: "must be the name of an IANA time zone, such as Europe/Berlin"
        )
    ])
}

extension Usage {
    mutating func add(_ tally: EventTally) {
        for day in days.indices {
            days[day].events = tally.events[day]
            days[day].activeDevices = tally.activeDevices[day]
        }
        totals.events = tally.events.reduce(0, +)
        totals.activeDevices = tally.devices.count
        eventsByName = EventName.list(tally.names)
    }

    fileprivate mutating func add(_ rows: [ItemUsageSQL.RecordingRow]) {
        for row in rows {
            switch row {
            case .day(let day, let sum):
                days[day].recordings = sum.count
                days[day].recordedMs = sum.durationMs
                totals.recordings += sum.count
                totals.recordedMs += sum.durationMs
            case .format(let value, let sum): byFormat.append(Share(value, sum))
            case .resolution(let value, let sum): byResolution.append(Share(value, sum))
            case .device(let value, let sum): byDevice.append(Share(value, sum))
            }
        }
        byFormat = Share.list(byFormat)
        byResolution = Share.list(byResolution)
        byDevice = Share.list(byDevice)
    }

    fileprivate mutating func addUploads(_ bytes: Int, on day: Int) {
        days[day].uploadedBytes += bytes
        totals.uploadedBytes += bytes
    }

    /// A configuration that changes on two days counts once in the totals. `day` is nil for the totals.
    fileprivate mutating func setChanges(_ count: Int, on day: Int?) {
        if let day { days[day].configurationsChanged = count } else { totals.configurationsChanged = count }
    }
}

extension Usage.Share {
    fileprivate init(_ value: String?, _ sum: ItemUsageSQL.Sum) {
        self.init(value: value, count: sum.count, durationMs: sum.durationMs, bytes: sum.bytes)
    }

    /// Sorted by count, the largest first; `other` with the rest is last.
    static func list(_ shares: [Usage.Share]) -> [Usage.Share] {
        let sorted = shares.sorted { Ranking($0.count, $0.value ?? "") < Ranking($1.count, $1.value ?? "") }
        let rest = sorted.dropFirst(Usage.entriesMax)
        guard !rest.isEmpty else { return sorted }
        let other = Usage.Share(
            value: Usage.other,
            count: rest.reduce(0) { $0 + $1.count },
            durationMs: rest.reduce(0) { $0 + $1.durationMs },
            bytes: rest.reduce(0) { $0 + $1.bytes }
        )
        return sorted.prefix(Usage.entriesMax) + [other]
    }
}

extension Usage.Preset {
    /// Sorted by recordings, then by configurations.
    static func list(_ presets: [Usage.Preset]) -> [Usage.Preset] {
        presets.sorted { left, right in
            left.recordings != right.recordings
                ? left.recordings > right.recordings
                : Ranking(left.configurations, left.name) < Ranking(right.configurations, right.name)
        }
    }
}
