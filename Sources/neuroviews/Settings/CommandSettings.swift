import CommandWords
import FoundationEssentials
import NeuroViewsClient

/// The settings of the command: flags win over the environment, the environment over the file.
struct CommandSettings: Sendable, Equatable {
    static let prefix = "NEUROVIEWS_CLI_"
    static let defaultProfile = "default"
    private static let pinsMax = 16

    /// The server's address, if it is set. `login` remembers it for the profile.
    var server: URL?
    var profile = CommandSettings.defaultProfile
    var deviceName: String?
    var authorities: URL?
    var pins: [Pin] = []
    var allowsPlainHTTP = false

    struct Definition: Sendable {
        let option: CommandOption
        /// Ends the sentence "NAME is VALUE: it must be …".
        let requirement: String
        /// Returns false for a wrong value.
        let apply: @Sendable (String, inout CommandSettings) -> Bool

        /// `allow_plain_http`.
        var name: String { String(option.flag.dropFirst(2).map { $0 == "-" ? "_" : $0 }) }

        init(
            _ flag: String,
            _ value: String,
            _ explanation: String,
            standard: String,
            requirement: String,
            apply: @escaping @Sendable (String, inout CommandSettings) -> Bool
        ) {
            let variable = CommandSettings.prefix + flag.dropFirst(2).map { $0 == "-" ? "_" : $0.uppercased() }.joined()
            option = CommandOption(flag: flag, value: value, explanation: explanation, setting: (variable, standard))
            self.requirement = requirement
            self.apply = apply
        }
    }

    static let definitions = [
        Definition(
            "--server",
            "URL",
            "the server's address, such as https://cloud.example.org",
            standard: "the one of the profile's login",
            requirement: "an absolute URL that begins with https:// or http://"
        ) { text, settings in
            guard let url = URL(string: text), ["http", "https"].contains(url.scheme ?? ""), url.host() != nil else {
                return false
            }
            settings.server = url
            return true
        },
        Definition(
            "--profile",
            "NAME",
            "the profile: a device of its own, with its own account, store and secrets",
            standard: defaultProfile,
            requirement: "1 to 64 letters, digits, - and _"
        ) { text, settings in
            settings.profile = text
            let isPlain = text.utf8.allSatisfy {
                (48...57).contains($0) || (65...90).contains($0) || (97...122).contains($0) || [45, 95].contains($0)
            }
            return (1...64).contains(text.utf8.count) && isPlain
        },
        Definition(
            "--device-name",
            "NAME",
            "the name that this device gets at the login",
            standard: "the name that it has there, or the host's",
            requirement: "1 to 100 characters"
        ) { text, settings in
            settings.deviceName = text
            return (1...100).contains(text.unicodeScalars.count)
        },
        Definition(
            "--authorities",
            "FILE",
            "a PEM file with the authorities that may have signed the server's certificate",
            standard: "the system's",
            requirement: "the path of a file"
        ) { text, settings in
            settings.authorities = URL(filePath: text)
            return !text.isEmpty
        },
        Definition(
            "--pins",
            "PIN,PIN",
            "SHA-256 digests in Base64 of the public keys that the server may have: two or more",
            standard: "none",
            requirement: "digests in Base64 with commas between"
        ) { text, settings in
            let words = text.split(separator: ",", maxSplits: pinsMax)
            settings.pins = words.compactMap { Pin(String($0)) }
            return settings.pins.count == words.count
        },
        Definition(
            "--allow-plain-http",
            "on|off",
            "allow http:// to hosts other than this machine: everybody on the way can read it",
            standard: "off",
            requirement: "on or off"
        ) { text, settings in
            settings.allowsPlainHTTP = text == "on"
            return ["on", "off"].contains(text)
        },
    ]
}
