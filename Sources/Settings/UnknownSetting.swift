import HTTP

/// The error message for an unknown setting, with a suggestion.
enum UnknownSetting {
    private static let lettersMax = 3

    static func sentence(_ entry: SettingSources.Entry) -> String {
        guard let near = nearest(entry.name) else {
            return "\(entry.source) is not a setting: neuroviews-server --help lists all of them."
        }
        let spelled = entry.source.hasPrefix("--") ? near.flag : near.environmentName
        return "\(entry.source) is not a setting: did you mean \(spelled)?"
    }

    private static func nearest(_ name: String) -> SettingDefinition? {
        let names = SettingDefinition.all.map(\.name)
        guard let near = EditDistance.nearest(to: name, among: names, most: { _ in lettersMax }) else { return nil }
        return SettingDefinition.all.first { $0.name == near }
    }
}
