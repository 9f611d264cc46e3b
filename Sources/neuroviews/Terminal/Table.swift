/// Rows of results: columns on a terminal, else lines with tabs and without headings, for other programs.
struct Table {
    let headings: [String]
    var rows: [[String]] = []

    init(_ headings: [String], _ rows: [[String]] = []) {
        self.headings = headings
        self.rows = rows
    }

    func text(isForTerminal: Bool) -> String {
        let cells = rows.map { $0.map(Shown.text) }
        guard isForTerminal else { return cells.map { $0.joined(separator: "\t") + "\n" }.joined() }
        guard !cells.isEmpty else { return "" }
        let lines = [headings] + cells
        let widths = headings.indices.map { column in lines.map { $0[column].count }.max() ?? 0 }
        return lines.map { line in
            var text = ""
            for (column, cell) in line.enumerated() where column < line.count - 1 {
                text += cell + String(repeating: " ", count: widths[column] - cell.count + 2)
            }
            return text + (line.last ?? "") + "\n"
        }.joined()
    }
}
