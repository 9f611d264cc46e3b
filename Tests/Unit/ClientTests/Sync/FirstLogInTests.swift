import Foundation
import NeuroViewsRules
import TestSupport
import Testing

@testable import NeuroViewsClient

@Suite("Stores before and after log ins", .blocking, .timeLimit(.minutes(Patience.minutes(1))))
struct FirstLogInTests {
    private let given = SyncGiven()
    private let credentials = Credentials.password(email: "a@example.org", password: "secret")

    @Test("Edits from before the first log in go to the account that logs in first")
    func first() async throws {
        let id = try await given.client().make("one")
        let client = try given.client()
        #expect(try await client.names == ["one"])
        #expect(await client.syncFailure() == .needsLogIn(nil))
        #expect(given.table.requests.isEmpty)
        _ = try await client.logIn(with: credentials)
        #expect(try await client.names == ["one"])
        try await client.sync()
        #expect(given.names == ["one"])
        #expect(try await given.client().configuration(id)?.configuration.name == "one")
    }

    @Test("After a log out that keeps the edits, nobody's edits are taken, and the next log in shows the account's")
    func kept() async throws {
        let client = try await given.synced()
        _ = try await client.make("one")
        await #expect(throws: ClientError.unsentEdits(1)) { try await client.logOut() }
        given.server.meet("POST /auth/logout", .unreached)
        try await client.logOut(.keep)
        await #expect(throws: ClientError.needsLogIn(nil)) { try await client.make("two") }
        #expect(try await client.status.unsent == 0)
        await #expect(throws: ClientError.needsLogIn(nil)) { try await given.client().make("two") }
        _ = try await client.logIn(with: credentials)
        #expect(try await client.names == ["one"])
        try await client.sync()
        #expect(given.names == ["one"])
    }

    @Test("A process follows another one that logs in, logs out, and logs in again")
    func otherProcess() async throws {
        let (client, other) = (try given.client(), try given.client())
        _ = try await client.make("one")
        // The store gets another name.
        _ = try await other.logIn(with: credentials)
        #expect(try await client.names == ["one"])
        try await client.sync()
        #expect(given.names == ["one"])
        var presence = Presence()
        presence.devices = [OnlineDevice(id: "phone", status: [:])]
        client.presenceFeed.show(presence)
        var presences = client.presenceChanges().makeAsyncIterator()
        #expect(await presences.next() == presence)
        given.server.meet("POST /auth/logout", .unreached)
        try await other.logOut()
        #expect(try await client.names.isEmpty)
        #expect(await presences.next() == Presence())
        #expect(try await client.account.account == nil)
        _ = try await other.logIn(with: credentials)
        try await client.sync()
        #expect(try await client.names == ["one"])
    }

    @Test("A process that has logged out follows another one that logs in")
    func logInElsewhere() async throws {
        let client = try await given.synced()
        _ = try await client.make("one")
        given.server.meet("POST /auth/logout", .unreached)
        try await client.logOut(.keep)
        await #expect(throws: ClientError.needsLogIn(nil)) { try await client.names }
        _ = try await given.client().logIn(with: credentials)
        #expect(try await client.names == ["one"])
    }

    @Test("A started client syncs when it finds that another process has logged in")
    func syncAfterOther() async throws {
        let client = try given.client { _, options in options.pollInterval = .seconds(3600) }
        await client.start()
        try await eventually("the first look") { await client.inside { client in client.lastFailure != nil } }
        _ = try await given.client().logIn(with: credentials)
        #expect(given.pulls == 0)
        #expect(try await client.names.isEmpty)
        try await eventually("a pull") { given.pulls > 0 }
        await client.stop()
    }

    @Test(
        "A started client follows another process that logs out and in again, without a call",
        arguments: [UnsentEdits.refuse, .keep]
    )
    func startedAfterOther(unsent: UnsentEdits) async throws {
        let client = try await given.synced { _, options in options.pollInterval = .seconds(1) }
        let other = try given.client()
        await client.start()
        given.server.meet("POST /auth/logout", .unreached)
        try await other.logOut(unsent)
        try await eventually("the log out") { await client.inside { client in client.core.account?.loop == nil } }
        let before = given.pulls
        _ = try await other.logIn(with: credentials)
        try await eventually("a pull") { given.pulls > before }
        await client.stop()
    }

    @Test("A store that is removed while its session goes on is made again by a log in, and by nothing else")
    func removed() async throws {
        let client = try await given.synced()
        let folder = try await client.inside { client in try client.openedStore().folder }
        try FileManager.default.removeItem(atPath: folder)
        for _ in 0..<2 {
            await #expect(throws: ClientError.store(.removed)) { try await client.make("one") }
        }
        #expect(!FileManager.default.fileExists(atPath: folder))
        _ = try await client.logIn(with: credentials)
        _ = try await client.make("two")
        #expect(try await client.names == ["two"])
    }

    @Test("A log out whose task is cancelled ends the session at the server")
    func cancelledLogOut() async throws {
        let client = try await given.synced()
        given.server.meet("POST /auth/logout", .given(AnswerTable.problem(401, "nonce-used")), .unreached)
        let gate = given.gate.close()
        let logOut = Task { try await client.logOut() }
        try await eventually("the first attempt") { await gate.count == 1 }
        logOut.cancel()
        await gate.open()
        try await logOut.value
        #expect(given.table.names.count { $0 == "POST /auth/logout" } == 2)
    }

    @Test("Two processes that need the store's key at the same time get the same one")
    func key() async throws {
        let (secrets, lock) = (FileSecretStore(folder: given.folder + "/secrets"), given.folder + "/key.lock")
        let keys = try await withThrowingTaskGroup(of: [UInt8].self) { group in
            for _ in 0..<8 { group.addTask { try StoreKey(secrets, name: "key", lock: lock).read() } }
            return try await group.reduce(into: Set<[UInt8]>()) { $0.insert($1) }
        }
        #expect(keys.count == 1 && keys.first?.count == 32)
    }

    @Test("A locked device is no device without an account")
    func locked() async throws {
        _ = try await given.synced()
        let secrets = LockableSecrets(FileSecretStore(folder: given.folder + "/secrets"))
        secrets.fail(reading: .locked)
        #expect(throws: ClientError.secrets(.locked)) { try given.client { _, options in options.secrets = secrets } }
    }

    @Test(
        "A store that could not be opened at a log in is opened by the next log in or sync",
        arguments: [true, false]
    )
    func openedLater(byLogIn: Bool) async throws {
        let client = try given.client()
        let folder = "\(given.folder)/data/cloud.example.org/\(AnswerTable.user.uuidString.lowercased())"
        // Others can read it.
        #expect(mkdir(folder, 0o755) == 0)
        do {
            _ = try await client.logIn(with: credentials)
            Issue.record("the store was opened")
        } catch {}
        #expect(chmod(folder, 0o700) == 0)
        if byLogIn {
            _ = try await client.logIn(with: credentials)
            let isOpen = await client.inside { client in client.store != nil }
            #expect(isOpen)
        } else {
            try await client.sync()
            #expect(given.pulls > 0)
        }
    }

    @Test("An app is told of a store that was replaced when it was opened")
    func replaced() async throws {
        let client = try await given.synced()
        _ = try await client.make("one")
        let key = [UInt8](repeating: 7, count: 32)
        try FileSecretStore(folder: given.folder + "/secrets").write("store_cloud.example.org", key)
        let next = try given.client()
        var events = next.events().makeAsyncIterator()
        guard case .storeReplaced? = await events.next() else { throw Program.Failure("no event") }
        #expect(try await next.names.isEmpty)
    }

    @Test("An account that logs in during the deletion of another one keeps its store and its session")
    func deletionBesideLogIn() async throws {
        let (client, other) = (try await given.synced(), UUID())
        let key = String(repeating: "A", count: 43) + "="
        let login = #"{"token":"d.e.f","signing_key":"\#(key)","user":{"id":"\#(other.uuidString)"}}"#
        given.server.meet("POST /auth/passkey", .given(AnswerTable.json(200, login)))
        given.server.meet("DELETE /account", .given(AnswerTable.json(200, #"{"complete":true}"#)))
        let gate = given.gate.close()
        async let deletion: Void = client.deleteAccount(.password("secret"))
        try await eventually("the deletion") { await gate.count == 1 }
        _ = try await client.logIn(with: .passkey(assertion: [:]))
        _ = try await client.make("theirs")
        await gate.open()
        try await deletion
        #expect(try await client.names == ["theirs"])
        #expect(try await client.account.account?.id == other)
    }

    @Test("The store of another device is doubted, and its request is not repeated")
    func clone() async throws {
        let client = try await given.synced()
        let id = try await client.make("one")
        given.server.meet("POST", .unreached)
        #expect(await client.syncFailure() != nil)
        let clone = try given.client { [credentials] setup, options in
            setup.systemID = "another one"
            options.credentials = { credentials }
        }
        let item = try await clone.inside { try $0.openedStore().item(id.uuidString.lowercased()) }
        #expect(item?.isUnsure == true && item?.part == nil && item?.edit != nil)
        let before = given.table.requests.count
        try await clone.sync()
        #expect(given.table.requests[before].name == "GET /configurations")
        #expect(given.names == ["one"])
    }
}
