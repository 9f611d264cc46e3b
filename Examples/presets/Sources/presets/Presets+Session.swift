import Foundation
import NeuroViewsClient

extension Presets {
    /// Logs in, with a code of the authenticator app if the account wants one.
    func logIn(_ email: String) async throws {
        let password = String(cString: getpass("Password: "))
        switch try await client.logIn(with: .password(email: email, password: password)) {
        case .done(let account): print("logged in as \(account.email ?? email)")
        case .secondFactor(let challenge):
            print("Code: ", terminator: "")
            _ = try await client.finishLogIn(challenge, with: .code(readLine() ?? ""))
            print("logged in as \(email)")
        @unknown default: print("this login needs a newer app")
        }
        await sync()
    }

    /// Sends and fetches what can be. A device without network is no failure: everything is on its disk.
    func sync() async {
        do throws(ClientError) {
            let report = try await client.sync()
            print("sent \(report.sent), received \(report.pulled), lost \(report.lost)")
        } catch {
            print("not synced: \(error)")
        }
    }

    /// Shows what happens on other devices, until Ctrl-C.
    func follow() async throws {
        let (changes, events) = (client.changes(), client.events())
        await client.start()
        Task { for await event in events { print("event: \(event)") } }
        for await change in changes {
            for id in change.ids {
                let shown = try await client.configuration(id).map { line($0) }
                print(shown ?? "\(id) is deleted")
            }
        }
    }
}
