import NeuroViewsClient

/// JSON for people: a line for each member.
enum PrettyJSON {
    static func text(_ value: JSONValue) -> String {
        var text = ""
        append(value, indentation: "", to: &text)
        return text + "\n"
    }

    private static func append(_ value: JSONValue, indentation: String, to text: inout String) {
        let inner = indentation + "  "
        switch value {
        case .object(let object) where object.count > 0:
            let members = object.members.map { member in
                var line = inner + shown(.string(member.name)) + ": "
                append(member.value, indentation: inner, to: &line)
                return line
            }
            text += "{\n" + members.joined(separator: ",\n") + "\n" + indentation + "}"
        case .array(let elements) where !elements.isEmpty:
            let lines = elements.map { element in
                var line = inner
                append(element, indentation: inner, to: &line)
                return line
            }
            text += "[\n" + lines.joined(separator: ",\n") + "\n" + indentation + "]"
        default: text += shown(value)
        }
    }

    /// JSON escapes the control characters below U+0020. Of the others, those that could disguise text or move the cursor are
    /// escaped here, too: the text means the same.
    private static func shown(_ value: JSONValue) -> String {
        var shown = ""
        for scalar in value.text.unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator:
                for unit in String(scalar).utf16 {
                    let digits = String(unit, radix: 16)
                    shown += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
                }
            default: shown.unicodeScalars.append(scalar)
            }
        }
        return shown
    }
}
