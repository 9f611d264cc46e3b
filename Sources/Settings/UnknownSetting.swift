/// The error message for an unknown setting, with a suggestion.
enum UnknownSetting {
    static func sentence(_ entry: SettingSources.Entry) -> String {
        guard let near = nearest(entry.name) else {
            return "\(entry.source) is not a setting: neuroviews-server --help lists all of them."
        }
        let spelled = entry.source.hasPrefix("--") ? near.flag : near.environmentName
        return "\(entry.source) is not a setting: did you mean \(spelled)?"
    }

    private static func nearest(_ name: String) -> SettingDefinition? {
        let ranked = SettingDefinition.all.map { (definition: $0, distance: distance(name, $0.name)) }
        guard let best = ranked.min(by: { $0.distance < $1.distance }), best.distance <= 3 else { return nil }
        return best.definition
    }

    /// The Levenshtein distance of two short names. Names of more than 64 bytes are near to none.
    private static func distance(_ left: String, _ right: String) -> Int {
        let (left, right) = (Array(left.utf8), Array(right.utf8))
        guard left.count <= 64 else { return .max }
        var row = Array(0...right.count)
        for (line, byte) in left.enumerated() {
            var diagonal = row[0]
            row[0] = line + 1
            for (column, other) in right.enumerated() {
                let replaced = diagonal + (byte == other ? 0 : 1)
                diagonal = row[column + 1]
                row[column + 1] = min(replaced, diagonal + 1, row[column] + 1)
            }
        }
        return row[right.count]
    }
}
