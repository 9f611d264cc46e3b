import NeuroViewsClient

/// `consent`: what the account agreed to.
enum ConsentCommand {
    static let columns = ["CATEGORY", "AGREED", "TEXT", "SINCE"]
    static let categories = [ConsentCategory.analytics, .crashReports, .usageMetrics].map(\.rawValue)

    static func run(_ call: CommandCall) async throws(Failure) -> Ending {
        let device = try call.device()
        switch (call.words.count, call.words.last, call.value("--text")) {
        case (0, _, nil): break
        case (2, "on", let version?), (2, "off", let version?):
            let category = ConsentCategory(rawValue: call.words[0])
            let isGranted = call.words[1] == "on"
            try await asking { () async throws(ClientError) in
                try await device.setConsent(isGranted, to: category, textVersion: version)
            }
        default: throw call.entry.misuse
        }
        let consents = try await asking { () async throws(ClientError) in try await device.consents() }
        let sorted = consents.sorted { $0.key.rawValue < $1.key.rawValue }
        call.output.result(json(sorted), table(sorted))
        return .done
    }

    private static func json(_ consents: [(key: ConsentCategory, value: Consent)]) -> JSONValue {
        var object = JSONValue.Object()
        for (category, consent) in consents {
            object[category.rawValue] = [
                "granted": .bool(consent.isGranted),
                "version": consent.textVersion.map { .string($0) } ?? .null,
                "changed_at": consent.changedAt.map { .string($0.text) } ?? .null,
            ]
        }
        return ["consents": .object(object)]
    }

    private static func table(_ consents: [(key: ConsentCategory, value: Consent)]) -> Table {
        Table(
            columns,
            consents.map { category, consent in
                [
                    category.rawValue, consent.isGranted ? "on" : "off", consent.textVersion ?? "",
                    consent.isUnsent ? "not sent yet" : consent.changedAt?.text ?? "",
                ]
            }
        )
    }
}
