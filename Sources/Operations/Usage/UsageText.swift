import CloudSync

/// The figures for a terminal: tables with bars of block characters.
struct UsageText {
    private static let barColumns = 24
    private static let nameColumnsMax = 40
    /// The fractions of a full block.
    private static let blocks = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉", "█"]
    private let table: UsageTable
    private let range: DateRange

    init(_ usage: OperatorUsage) {
        table = UsageTable(usage: usage)
        range = usage.range
    }

    var text: String {
        var text = "Usage from \(range.first.text) to \(range.last.text) (days of UTC)\n"
        text += "\nNow\n" + Self.aligned(table.present.map { [$0.name, $0.text] })
        text += "\nIn these days\n" + Self.aligned(zip(UsageTable.columns, table.totals).map { [$0, $1] })
        text += "\nBy day\n" + Self.aligned(days)
        for list in table.lists where !list.entries.isEmpty {
            text += "\n\(list.title)\n" + Self.aligned(Self.rows(list))
        }
        return text
    }

    private var days: [[String]] {
        let events = table.usage.days.map(\.usage.events)
        let most = events.max() ?? 0
        let rows = zip(table.days, events).map { day, events in
            [day.date] + day.cells + [Self.bar(events, of: most)]
        }
        return [["Date"] + UsageTable.columns + [""]] + rows
    }

    private static func rows(_ list: UsageTable.List) -> [[String]] {
        let most = list.entries.map(\.value).max() ?? 0
        return list.entries.map { [printable($0.name), $0.text, bar($0.value, of: most)] }
    }

    /// Aligns rows in columns: the first and the last column left, numbers right.
    static func aligned(_ rows: [[String]]) -> String {
        let count = rows.map(\.count).max() ?? 0
        let widths = (0..<count).map { column in rows.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0 }
        return rows.map { row in
            let cells = row.enumerated().map { column, cell in
                let padding = String(repeating: " ", count: widths[column] - cell.count)
                let isLeft = column == 0 || column == row.count - 1 && count > 2
                return isLeft ? cell + padding : padding + cell
            }
            let line = "  " + cells.joined(separator: "  ")
            return String(line.reversed().drop { $0 == " " }.reversed()) + "\n"
        }.joined()
    }

    static func bar(_ value: Int, of most: Int) -> String {
        guard most > 0, value > 0 else { return "" }
        let eighths = max(1, Int((Double(value) / Double(most) * Double(barColumns * 8)).rounded()))
        return String(repeating: "█", count: eighths / 8) + blocks[eighths % 8]
    }

    /// Escapes terminal control characters in a name and limits its length.
    static func printable(_ name: String, columnsMax: Int = nameColumnsMax) -> String {
        var text = ""
        for scalar in name.unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator:
                text += "\\u{\(String(scalar.value, radix: 16))}"
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text.count <= columnsMax ? text : text.prefix(columnsMax - 1) + "…"
    }
}
