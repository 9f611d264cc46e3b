/// Text of others, made fit for a terminal.
enum Shown {
    /// Names come from other devices. Control characters could move the cursor, and ones of direction could disguise a name: each
    /// becomes its code, such as `\u{1b}`.
    static func text(_ text: String) -> String {
        var shown = ""
        for scalar in text.unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate:
                shown += "\\u{\(String(scalar.value, radix: 16))}"
            default: shown.unicodeScalars.append(scalar)
            }
        }
        return shown
    }

    /// `12.3 MB`.
    static func bytes(_ count: Int64) -> String {
        var (value, units) = (Double(count), ["B", "kB", "MB", "GB", "TB"][...])
        while value >= 1000 && units.count > 1 {
            value /= 1000
            units.removeFirst()
        }
        let unit = units.first ?? "B"
        let tenths = Int64((value * 10).rounded())
        return unit == "B" ? "\(count) B" : "\(tenths / 10).\(tenths % 10) \(unit)"
    }
}
