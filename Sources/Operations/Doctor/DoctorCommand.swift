import CommandWords
import FoundationEssentials
import Machine
import Settings

/// `doctor`: reports problems of this machine with their remedies. It changes nothing.
package struct DoctorCommand {
    let settings: Result<Settings, UsageError>
    let isJSON: Bool

    package init(settings: Result<Settings, UsageError>, isJSON: Bool) {
        self.settings = settings
        self.isJSON = isJSON
    }

    /// Prints the findings. Returns status 0 if the server can serve, otherwise 1.
    package func run() -> Int32 {
        let findings = findings()
        StandardStreams.print(isJSON ? Self.json(findings) : Self.text(findings))
        return findings.contains { $0.verdict == .wrong } ? 1 : 0
    }

    /// Checks everything. Blocks.
    func findings() -> [Finding] {
        switch settings {
        case .failure(let error):
            return [.wrong("settings", error.sentence, "mend that first: everything else follows from the settings")]
        case .success(let given):
            let place = DataPlace(given)
            let settings = given.served(at: place)
            return [.ok("settings", "they can be read")] + MachineCheck(settings).findings()
                + DataCheck(settings, place).findings() + PlaceCheck(settings).findings()
                + StorageServiceCheck(settings).findings()
                + NetworkCheck(settings, place).findings() + RegistrationCheck(settings).findings()
                + OpenIDCheck(settings).findings()
                + CertificateCheck(settings).findings() + DatabaseCheck(settings, place).findings()
        }
    }

    private static func text(_ findings: [Finding]) -> String {
        let wrong = findings.count { $0.verdict == .wrong }
        let warnings = findings.count { $0.verdict == .warning }
        let verdict = wrong == 0 ? "The server can serve" : "The server can't serve"
        return findings.map(\.text).joined() + "\n\(verdict). Wrong: \(wrong), warnings: \(warnings).\n"
    }

    private static func json(_ findings: [Finding]) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .withoutEscapingSlashes, .sortedKeys]
        let text = (try? encoder.encode(["findings": findings])).map { String(decoding: $0, as: UTF8.self) }
        return (text ?? "{}") + "\n"
    }
}
