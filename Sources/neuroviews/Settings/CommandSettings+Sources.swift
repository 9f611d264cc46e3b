import CommandWords
import Glibc

extension CommandSettings {
    /// Combines flags, environment and file. `readFile` returns nil for a file that does not exist.
    static func combined(
        flags: [SettingEntry],
        environment: [String: String],
        file: String?,
        readFile: (String) throws(Failure) -> String?
    ) throws(Failure) -> CommandSettings {
        var settings = CommandSettings()
        try settings.apply(try fileEntries(file, environment, readFile), .configuration)
        try settings.apply(environmentEntries(environment), .configuration)
        try settings.apply(flags, .usage)
        return settings
    }

    private mutating func apply(_ entries: [SettingEntry], _ status: ExitStatus) throws(Failure) {
        for entry in entries {
            guard let definition = Self.definitions.first(where: { $0.name == entry.name }) else {
                let names = Self.definitions.map { $0.option.setting?.variable ?? $0.name }.joined(separator: ", ")
                throw Failure("\(entry.source) is not a setting: the settings are \(names).", status)
            }
            guard definition.apply(entry.value, &self) else {
                throw Failure("\(entry.source) is \"\(entry.value)\": it must be \(definition.requirement).", status)
            }
        }
    }

    /// A file that is named must be there; the usual one may be missing.
    private static func fileEntries(
        _ file: String?,
        _ environment: [String: String],
        _ readFile: (String) throws(Failure) -> String?
    ) throws(Failure) -> [SettingEntry] {
        let named = file ?? environment[prefix + "CONFIG"]
        let path = named ?? UserFolders(environment).settings + "/config"
        guard let text = try readFile(path) else {
            guard named == nil else { throw Failure("The settings file \(path) does not exist.", .configuration) }
            return []
        }
        do {
            return try SettingsFile.parse(text, path: path, prefix: prefix)
        } catch {
            throw Failure(error)
        }
    }

    private static func environmentEntries(_ environment: [String: String]) -> [SettingEntry] {
        environment.keys.sorted().compactMap { key in
            guard key.hasPrefix(prefix), key != prefix + "CONFIG" else { return nil }
            return SettingEntry(
                name: key.dropFirst(prefix.count).lowercased(),
                value: environment[key] ?? "",
                source: key
            )
        }
    }
}

/// The folders of this user, after the XDG Base Directory Specification: relative paths in variables are ignored.
struct UserFolders: Sendable {
    /// Has the settings file.
    let settings: String
    /// Has a folder for each profile.
    let data: String

    init(_ environment: [String: String]) {
        let home = environment["HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "/"
        func folder(_ variable: String, _ standard: String) -> String {
            let path = environment[variable].flatMap { $0.hasPrefix("/") ? $0 : nil }
            return (path ?? (home == "/" ? "" : home) + standard) + "/neuroviews"
        }
        settings = folder("XDG_CONFIG_HOME", "/.config")
        data = folder("XDG_DATA_HOME", "/.local/share")
    }
}
