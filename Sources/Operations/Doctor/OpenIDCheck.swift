import CloudSync
import Machine
import Settings
import Storage

/// Checks that the keys of the OpenID providers can be fetched.
struct OpenIDCheck {
    let settings: Settings

    init(_ settings: Settings) { self.settings = settings }

    func findings() -> [Finding] {
        do throws(CommandFailure) {
            return try ProvidersFile.load(settings.openIDProvidersFile).map(finding)
        } catch {
            return [.wrong("OpenID providers", sentence: error.description)]
        }
    }

    private func finding(_ entry: ProviderEntry) -> Finding {
        let subject = "OpenID provider \(entry.name)"
        do {
            let keys = try ProviderFetching.fetched(entry, DocumentClient()).set.keys.count
            return .ok(subject, "\(entry.issuer), keys: \(keys)")
        } catch let error as CommandFailure {
            // A server does not start without this file.
            return .wrong(subject, sentence: error.description)
        } catch {
            return .warning(
                subject,
                "its keys can't be fetched: \(error)",
                "let this machine reach the jwks_url of the provider; until then nobody logs in by it"
            )
        }
    }
}
