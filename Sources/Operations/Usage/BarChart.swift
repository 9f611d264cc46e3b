/// Bar charts as SVG. The surrounding HTML page has their styles.
enum BarChart {
    private static let width = 720.0
    private static let plotHeight = 120.0
    private static let plotTop = 8.0
    private static let axisWidth = 64.0
    private static let gapShare = 0.15
    private static let nameColumnsMax = 30

    /// Draws a vertical bar for each entry, from left to right.
    static func columns(_ list: UsageTable.List, _ text: (Int) -> String) -> String {
        let most = list.entries.map(\.value).max() ?? 0
        let step = (width - axisWidth) / Double(max(1, list.entries.count))
        let bars = list.entries.enumerated().map { index, entry in
            let height = most == 0 ? 0 : plotHeight * Double(entry.value) / Double(most)
            let x = axisWidth + step * (Double(index) + gapShare / 2)
            let shape =
                "x=\"\(short(x))\" y=\"\(short(plotTop + plotHeight - height))\" "
                + "width=\"\(short(step * (1 - gapShare)))\" height=\"\(short(height))\""
            let title = "\(HTMLText.escaped(entry.name)): \(HTMLText.escaped(entry.text))"
            return "<rect class=\"bar\" \(shape)><title>\(title)</title></rect>\n"
        }
        let height = plotTop + plotHeight + 22
        return svg(height, list.title, scale(most, text) + bars.joined() + dates(list.entries, step))
    }

    /// Draws grid lines for zero, half the maximum, and the maximum.
    private static func scale(_ most: Int, _ text: (Int) -> String) -> String {
        let values = most == 0 ? [0] : most == 1 ? [0, 1] : [0, most / 2, most]
        return values.map { value in
            let y = short(plotTop + plotHeight * (1 - Double(value) / Double(max(1, most))))
            let label = HTMLText.escaped(text(value))
            return "<line class=\"grid\" x1=\"\(short(axisWidth))\" x2=\"\(short(width))\" y1=\"\(y)\" y2=\"\(y)\"/>"
                + "<text class=\"tick\" x=\"\(short(axisWidth - 6))\" y=\"\(y)\" dy=\"0.32em\" text-anchor=\"end\">\(label)</text>\n"
        }.joined()
    }

    /// Draws as many names below the bars as there is room for.
    private static func dates(_ entries: [UsageTable.Entry], _ step: Double) -> String {
        let every = max(1, Int((110 / step).rounded(.up)))
        return entries.enumerated().filter { $0.offset % every == 0 }.map { index, entry in
            let x = axisWidth + step * (Double(index) + 0.5)
            // Keeps the first and the last name inside the picture.
            let anchor = x < axisWidth + 30 ? "start" : x > width - 34 ? "end" : "middle"
            let edge = anchor == "start" ? axisWidth : anchor == "end" ? width : x
            return "<text class=\"tick\" x=\"\(short(edge))\" y=\"\(short(plotTop + plotHeight + 16))\" "
                + "text-anchor=\"\(anchor)\">\(HTMLText.escaped(entry.name))</text>\n"
        }.joined()
    }

    /// Draws a horizontal bar for each entry, with its name and value.
    static func rows(_ list: UsageTable.List) -> String {
        let (rowHeight, nameWidth, textWidth) = (22.0, 220.0, 190.0)
        let most = list.entries.map(\.value).max() ?? 0
        let rows = list.entries.enumerated().map { index, entry in
            let y = rowHeight * Double(index)
            let length = most == 0 ? 0 : (width - nameWidth - textWidth) * Double(entry.value) / Double(most)
            let middle = short(y + rowHeight / 2)
            let name = HTMLText.escaped(UsageText.printable(entry.name, columnsMax: nameColumnsMax))
            return
                "<text class=\"name\" x=\"\(short(nameWidth - 8))\" y=\"\(middle)\" dy=\"0.32em\" text-anchor=\"end\">"
                + "\(name)<title>\(HTMLText.escaped(entry.name))</title></text>"
                + "<rect class=\"bar\" x=\"\(short(nameWidth))\" y=\"\(short(y + 3))\" width=\"\(short(length))\" "
                + "height=\"\(short(rowHeight - 6))\"/>"
                + "<text class=\"value\" x=\"\(short(nameWidth + length + 6))\" y=\"\(middle)\" dy=\"0.32em\">"
                + "\(HTMLText.escaped(entry.text))</text>\n"
        }
        return svg(rowHeight * Double(list.entries.count), list.title, rows.joined())
    }

    private static func svg(_ height: Double, _ title: String, _ content: String) -> String {
        "<svg viewBox=\"0 0 \(short(width)) \(short(height))\" role=\"img\" aria-label=\"\(HTMLText.escaped(title))\">\n"
            + content + "</svg>\n"
    }

    /// A length with at most one decimal.
    private static func short(_ value: Double) -> String {
        let tenths = Int((value * 10).rounded())
        return tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(abs(tenths % 10))"
    }
}
