import CloudSync

/// The figures as a self-contained HTML page: charts are SVG, and there is no script. It prints on A4 and Letter.
struct UsagePage {
    private let table: UsageTable
    private let range: DateRange

    init(_ usage: OperatorUsage) {
        table = UsageTable(usage: usage)
        range = usage.range
    }

    var text: String {
        let title = "Usage from \(range.first.text) to \(range.last.text)"
        return """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <title>NeuroViews Cloud: \(title)</title>
            <style>
            \(Self.style)
            </style>
            </head>
            <body>
            <main>
            <h1>NeuroViews Cloud</h1>
            <p class="range">\(title) (days of UTC)</p>
            \(cards("Now", table.present))
            \(cards("In these days", zip(UsageTable.columns, table.totals).map { ($0, $1) }))
            \(charts)\(lists)\(days)</main>
            </body>
            </html>

            """
    }

    private func cards(_ title: String, _ cards: [(name: String, text: String)]) -> String {
        let items = cards.map { card in
            "<div><dt>\(HTMLText.escaped(card.name))</dt><dd>\(HTMLText.escaped(card.text))</dd></div>\n"
        }
        return "<section>\n<h2>\(HTMLText.escaped(title))</h2>\n<dl>\n\(items.joined())</dl>\n</section>"
    }

    private var charts: String {
        table.series.map { list in
            let text = list.title == "Uploaded" ? UsageTable.bytes : UsageTable.number
            return Self.section(list.title + " by day", BarChart.columns(list, text))
        }.joined()
    }

    private var lists: String {
        table.lists.filter { !$0.entries.isEmpty }.map { Self.section($0.title, BarChart.rows($0)) }.joined()
    }

    private static func section(_ title: String, _ content: String) -> String {
        "<section>\n<h2>\(HTMLText.escaped(title))</h2>\n\(content)</section>\n"
    }

    private var days: String {
        let head = (["Date"] + UsageTable.columns).map { "<th scope=\"col\">\(HTMLText.escaped($0))</th>" }.joined()
        let rows = table.days.map { day in
            let cells = day.cells.map { "<td>\(HTMLText.escaped($0))</td>" }.joined()
            return "<tr><th scope=\"row\">\(day.date)</th>\(cells)</tr>\n"
        }
        return "<section class=\"days\">\n<h2>By day</h2>\n<table>\n<thead><tr>\(head)</tr></thead>\n"
            + "<tbody>\n\(rows.joined())</tbody>\n</table>\n</section>\n"
    }

    private static let style = """
        :root { color-scheme: light dark; --ink: #1b2530; --soft: #5b6875; --line: #d8dee5; --bar: #2f6fb5; --ground: #fff; }
        @media (prefers-color-scheme: dark) {
          :root { --ink: #e6ebf0; --soft: #9aa7b4; --line: #37424d; --bar: #6aa5e6; --ground: #14191e; }
        }
        body { margin: 0; background: var(--ground); color: var(--ink); font: 15px/1.45 system-ui, "DejaVu Sans", sans-serif; }
        main { max-width: 780px; margin: 0 auto; padding: 24px 16px 48px; }
        h1 { font-size: 24px; margin: 0; }
        h2 { font-size: 16px; margin: 28px 0 8px; }
        .range { margin: 2px 0 0; color: var(--soft); }
        dl { display: grid; grid-template-columns: repeat(4, 1fr); gap: 8px; margin: 0; }
        dl div { border: 1px solid var(--line); border-radius: 6px; padding: 8px 10px; }
        dt { color: var(--soft); font-size: 12px; }
        dd { margin: 0; font-size: 19px; font-variant-numeric: tabular-nums; }
        svg { display: block; width: 100%; height: auto; }
        svg text { fill: var(--soft); font-size: 11px; }
        svg .name, svg .value { font-size: 12px; }
        svg .name { fill: var(--ink); }
        .bar { fill: var(--bar); }
        .grid { stroke: var(--line); }
        table { width: 100%; border-collapse: collapse; font-size: 12px; font-variant-numeric: tabular-nums; }
        th, td { padding: 3px 6px; text-align: right; border-bottom: 1px solid var(--line); font-weight: normal; }
        th[scope=col] { color: var(--soft); vertical-align: bottom; }
        th:first-child { text-align: left; white-space: nowrap; }
        @media (max-width: 560px) { dl { grid-template-columns: repeat(2, 1fr); } .days { overflow-x: auto; } }
        @page { margin: 15mm; }
        @media print {
          :root { color-scheme: light; --ink: #000; --soft: #444; --line: #bbb; --bar: #2f6fb5; --ground: #fff; }
          main { max-width: none; padding: 0; }
          section:not(.days), tr { break-inside: avoid; }
          h2 { break-after: avoid; }
          .bar { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
        }
        """
}
