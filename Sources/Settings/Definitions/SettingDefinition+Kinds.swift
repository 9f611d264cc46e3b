extension SettingDefinition {
    typealias Place<Value> = WritableKeyPath<Settings, Value> & Sendable

    static func integer<Value: FixedWidthInteger & Sendable>(
        _ name: String,
        _ place: Place<Value>,
        _ range: ClosedRange<Value>,
        _ explanation: String,
        defaultText: String? = nil
    ) -> SettingDefinition {
        SettingDefinition(
            name: name,
            explanation: explanation,
            allowed: "a whole number from \(range.lowerBound) to \(range.upperBound)",
            defaultText: defaultText ?? String(Settings()[keyPath: place]),
            isSecret: false
        ) { text, settings in
            guard text.utf8.allSatisfy({ (48...57).contains($0) }), let number = Value(text), range.contains(number)
            else {
                return false
            }
            settings[keyPath: place] = number
            return true
        }
    }

    static func choice<Value: RawRepresentable & CaseIterable & Sendable>(
        _ name: String,
        _ place: Place<Value>,
        _ explanation: String
    ) -> SettingDefinition where Value.RawValue == String {
        SettingDefinition(
            name: name,
            explanation: explanation,
            allowed: Value.allCases.map(\.rawValue).joined(separator: " or "),
            defaultText: Settings()[keyPath: place].rawValue,
            isSecret: false
        ) { text, settings in
            guard let value = Value(rawValue: text) else { return false }
            settings[keyPath: place] = value
            return true
        }
    }

    static func address(
        _ name: String,
        _ place: Place<ListenAddress>,
        allowsOff: Bool = false,
        _ explanation: String
    ) -> SettingDefinition {
        SettingDefinition(
            name: name,
            explanation: explanation,
            allowed: ListenAddress.allowed + (allowsOff ? ", or off" : ""),
            defaultText: Settings()[keyPath: place].description,
            isSecret: false
        ) { text, settings in
            guard let value = allowsOff && text == "off" ? .off : ListenAddress(text) else { return false }
            settings[keyPath: place] = value
            return true
        }
    }

    /// A text that `accept` converts to the value. It returns nil to reject the text.
    static func text<Value>(
        _ name: String,
        _ place: Place<Value>,
        allowed: String,
        defaultText: String,
        isSecret: Bool = false,
        accept: @escaping @Sendable (String) -> Value?,
        _ explanation: String
    ) -> SettingDefinition {
        SettingDefinition(
            name: name,
            explanation: explanation,
            allowed: allowed,
            defaultText: defaultText,
            isSecret: isSecret
        ) { text, settings in
            guard let value = accept(text) else { return false }
            settings[keyPath: place] = value
            return true
        }
    }
}
