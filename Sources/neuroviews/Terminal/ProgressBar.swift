/// One line on standard error that shows how far a file is.
struct ProgressBar {
    private static let width: Int64 = 24
    private let isShown: Bool
    private let name: String
    private var lastText = ""

    init(_ name: String, in output: Output) {
        isShown = output.hasBars
        self.name = Shown.text(name)
    }

    mutating func show(_ state: String, _ done: Int64, of total: Int64?) {
        guard isShown else { return }
        var text = "\(name): \(state) \(Shown.bytes(done))"
        if let total, total > 0 {
            let part = min(done, total)
            let filled = Int(Double(part) / Double(total) * Double(Self.width))
            let bar = String(repeating: "#", count: filled) + String(repeating: "-", count: Int(Self.width) - filled)
            text += " of \(Shown.bytes(total)) [\(bar)] \(Int(Double(part) / Double(total) * 100)) %"
        }
        guard text != lastText else { return }
        lastText = text
        // To the line's begin, and clear it.
        Streams.complain("\r\u{1B}[K\(text)")
    }

    /// Takes the line away.
    mutating func end() {
        if !lastText.isEmpty { Streams.complain("\r\u{1B}[K") }
        lastText = ""
    }
}
