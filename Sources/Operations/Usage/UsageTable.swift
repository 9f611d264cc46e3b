import CloudSync

/// The figures as readable text, for the terminal.
struct UsageTable {
    /// An entry of a list. `value` is the length of its bar.
    struct Entry {
        let name: String
        let value: Int
        let text: String
    }

    /// A list of entries.
    struct List {
        let title: String
        let entries: [Entry]
    }

    let usage: OperatorUsage

    /// The current totals.
    var present: [(name: String, text: String)] {
        let now = usage.present
        return [
            ("Accounts", Self.number(now.accounts)),
            ("Agreed to analytics", Self.number(now.consentingAccounts)),
            ("Devices", Self.number(now.devices)),
            ("Configurations", Self.number(now.configurations)),
            ("Recordings", Self.number(now.recordings)),
            ("Stored", Self.bytes(now.storedBytes)),
        ]
    }

    /// The names of the columns of counted figures. There is a row for the totals and one for each day.
    static let columns = [
        "New accounts", "Active accounts", "Active devices", "Events", "Recordings", "Recorded", "Uploaded",
        "Configurations changed",
    ]

    var totals: [String] { Self.cells(usage.totals) }

    var days: [(date: String, cells: [String])] {
        usage.days.enumerated().map { (usage.range[$0].text, Self.cells($1)) }
    }

    private static func cells(_ figures: OperatorUsage.Figures) -> [String] {
        [
            number(figures.newAccounts), number(figures.activeAccounts), number(figures.usage.activeDevices),
            number(figures.usage.events), number(figures.usage.recordings), hours(figures.usage.recordedMs),
            bytes(figures.usage.uploadedBytes), number(figures.usage.configurationsChanged),
        ]
    }

    /// Figures that are counted by name.
    var lists: [List] {
        func shares(_ title: String, _ shares: [Usage.Share]) -> List {
            List(
                title: title,
                entries: shares.map { share in
                    let text =
                        "\(Self.number(share.count)), \(Self.hours(share.durationMs)), \(Self.bytes(share.bytes))"
                    return Entry(name: share.value ?? "not said", value: share.count, text: text)
                }
            )
        }
        return [
            List(
                title: "Events by name",
                entries: usage.eventsByName.map {
                    Entry(name: $0.name, value: $0.count, text: Self.number($0.count))
                }
            ),
            shares("Recordings by format", usage.byFormat),
            shares("Recordings by resolution", usage.byResolution),
            List(
                title: "Presets: configurations now, recordings made with them",
                entries: usage.presets.map { preset in
                    let text = "\(Self.number(preset.configurations)), \(Self.number(preset.recordings))"
                    return Entry(name: preset.name, value: preset.configurations, text: text)
                }
            ),
        ]
    }
}

extension UsageTable {
    /// `1,234,567`
    static func number(_ value: Int) -> String {
        var digits = Array(String(value.magnitude))
        var groups: [String] = []
        while digits.count > 3 {
            groups.append(String(digits.suffix(3)))
            digits.removeLast(3)
        }
        return (value < 0 ? "-" : "") + ([String(digits)] + groups.reversed()).joined(separator: ",")
    }

    /// `0 B`, `12.3 MB`, in powers of 1000.
    static func bytes(_ value: Int) -> String {
        let units = ["B", "kB", "MB", "GB", "TB", "PB", "EB"]
        var (scaled, unit) = (Double(value), 0)
        while scaled >= 999.95, unit < units.count - 1 {
            scaled /= 1000
            unit += 1
        }
        return unit == 0 ? "\(value) B" : "\(tenths(scaled)) \(units[unit])"
    }

    /// `1.5 h`; shorter times in minutes or seconds.
    static func hours(_ milliseconds: Int) -> String {
        let seconds = Double(milliseconds) / 1000
        if seconds >= 3600 { return "\(tenths(seconds / 3600)) h" }
        return seconds >= 60 ? "\(tenths(seconds / 60)) min" : "\(tenths(seconds)) s"
    }

    private static func tenths(_ value: Double) -> String {
        let tenths = Int((value * 10).rounded())
        return tenths % 10 == 0 ? number(tenths / 10) : "\(number(tenths / 10)).\(tenths % 10)"
    }
}
