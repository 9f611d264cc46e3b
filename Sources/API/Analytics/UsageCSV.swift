import CloudSync

/// Usage as one table (RFC 4180): a row for the totals, for each day, and for each entry of a list. A cell is empty where a row has no such
/// figure.
enum UsageCSV {
    private static let columns = [
        "section", "name", "events", "active_devices", "recordings", "recorded_seconds", "uploaded_bytes",
        "configurations_changed", "configurations", "bytes",
    ]

    static func text(_ usage: Usage) -> [UInt8] {
        var table = CSVText(columns)
        table.add(figures("totals", "", usage.totals))
        for (day, found) in usage.days.enumerated() { table.add(figures("days", usage.range[day].text, found)) }
        for event in usage.eventsByName { table.add(["events_by_name", event.name, String(event.count)]) }
        for (section, shares) in [
            ("recordings_by_format", usage.byFormat), ("recordings_by_resolution", usage.byResolution),
            ("recordings_by_device", usage.byDevice),
        ] {
            for share in shares { table.add(Self.share(section, share)) }
        }
        for preset in usage.presets {
            let (made, configurations) = (String(preset.recordings), String(preset.configurations))
            table.add(["presets", preset.name, "", "", made, "", "", "", configurations])
        }
        return table.bytes
    }

    private static func figures(_ section: String, _ name: String, _ figures: Usage.Figures) -> [String] {
        [
            section, name, String(figures.events), String(figures.activeDevices), String(figures.recordings),
            SecondsText.of(figures.recordedMs), String(figures.uploadedBytes), String(figures.configurationsChanged),
        ]
    }

    private static func share(_ section: String, _ share: Usage.Share) -> [String] {
        let seconds = SecondsText.of(share.durationMs)
        return [section, share.value ?? "", "", "", String(share.count), seconds, "", "", "", String(share.bytes)]
    }
}

/// Writes comma-separated values (RFC 4180), each row as long as the first.
struct CSVText {
    private(set) var bytes: [UInt8] = []
    private let columnCount: Int

    init(_ header: [String]) {
        columnCount = header.count
        add(header)
    }

    /// Adds a row. Missing cells are empty.
    mutating func add(_ cells: [String]) {
        for column in 0..<columnCount {
            if column > 0 { bytes.append(UInt8(ascii: ",")) }
            if column < cells.count { append(cells[column]) }
        }
        bytes += [13, 10]
    }

    /// A spreadsheet runs a cell that begins with one of these as a formula; some read the wide forms alike. Names are
    /// texts of strangers. An apostrophe makes such a cell plain text (OWASP, "CSV Injection").
    private static let signsOfFormulas = Set("=+-@\t\r\n\u{FF1D}\u{FF0B}\u{FF0D}\u{FF20}".unicodeScalars)

    /// Works on bytes: a quote and a combining accent after it are one `Character`.
    private mutating func append(_ text: String) {
        let isFormula = text.unicodeScalars.first.map(Self.signsOfFormulas.contains) ?? false
        let cell = isFormula ? "'" + text : text
        let quote = UInt8(ascii: "\"")
        guard cell.utf8.contains(where: { [44, quote, 13, 10].contains($0) }) else {
            bytes += Array(cell.utf8)
            return
        }
        bytes.append(quote)
        for byte in cell.utf8 { bytes += byte == quote ? [quote, quote] : [byte] }
        bytes.append(quote)
    }
}
