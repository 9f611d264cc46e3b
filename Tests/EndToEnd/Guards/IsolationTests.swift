import Foundation
import TestSupport
import Testing

@Suite("Isolation of accounts", .blocking)
struct IsolationTests {
    @Test(
        "Every operation on another user's resource gets 404 or an answer without their data",
        arguments: try served()
    )
    func strangers(operation: Operation) throws {
        let owner = try FilledAccount()
        let before = try Catalogue.rows(of: owner.device.userID, Shared.server.get())
        let newcomer = try Shared.newDevice()
        // Without consent the server accepts none of the account's events.
        try newcomer.agree()
        for fields in operation.conditions {
            let answer = try ask(operation, owner, by: newcomer, fields)
            if operation.needsWhatIsNamed {
                Problems.check(answer, "404 not-found")
            } else if operation.name == "addPasskey" {
                // The authenticator has signed for the owner's session.
                Problems.check(answer, "401 passkey-invalid")
            } else if fields.isEmpty {
                #expect((200..<300).contains(answer.status), "\(answer.verdict)")
            }
        }
        // The neighbour has the same things under the same names.
        let neighbour = try FilledAccount().device
        for fields in operation.conditions { _ = try ask(operation, owner, by: neighbour, fields) }
        #expect(try Catalogue.rows(of: owner.device.userID, Shared.server.get()) == before)
    }

    /// The operations of the shared server. It sends no mail, and refuses operations that need it (AddressChangeTests).
    private static func served() throws -> [Operation] {
        try Operation.secured().filter { $0.answers["403"]?.contains("`mail-unavailable`") != true }
    }

    /// Sends the owner's request with a stranger's token.
    private func ask(
        _ operation: Operation,
        _ owner: FilledAccount,
        by stranger: Device,
        _ fields: APIClient.Fields
    ) throws -> HTTPAnswer {
        var draft = RequestDraft(operation, by: owner)
        draft.set("Authorization", "Bearer \(stranger.token)")
        draft.fields += fields
        let answer = try draft.send(stranger.client)
        #expect(!owner.isRecognised(in: answer), "\(fields)")
        #expect(operation.declares(answer.verdict), "\(fields) \(answer.verdict)")
        return answer
    }

    /// Without this test, a stranger's 404 could mean that nothing is there.
    @Test("The owner's same requests find the resources that they name", arguments: try served())
    func owners(operation: Operation) throws {
        let owner = try FilledAccount()
        let answer = try RequestDraft(operation, by: owner).send(owner.device.client)
        // A conflict with the owner's data also shows that the request found it.
        let isConflict = answer.status == 409 && owner.isRecognised(in: answer)
        #expect(
            (200..<400).contains(answer.status) || isConflict,
            "\(answer.verdict): FilledAccount has to make what the document's example of a path names"
        )
        // Numbers don't identify their owner.
        if operation.method == "GET", answer.status == 200, operation.name != "getQuota" {
            #expect(owner.isRecognised(in: answer), "FilledAccount has to make something that tells whose it is")
        }
    }

    @Test("An item of B with the id of A's item, live or deleted, is a separate item")
    func identifiers() throws {
        let (a, b) = (try Shared.newDevice(), try Shared.newDevice())
        let (live, gone) = (Preset("Live"), Preset("Gone"))
        for preset in [live, gone] { #expect(try a.post(preset.json).status == 201) }
        #expect(try a.delete(gone.id).status == 200)
        let before = try Catalogue.rows(of: a.userID, Shared.server.get())
        for preset in [live, gone] {
            for id in [preset.id, preset.id.lowercased()] { Problems.check(try b.get(id), "404 not-found") }
            let own = Preset("B's own", id: preset.id)
            #expect(try b.post(own.json).status == 201)
            #expect(try b.get(preset.id).text == own.json)
            #expect(try b.put(preset.id, own.edited("Edited", minute: 7).json).status == 200)
            #expect(try b.delete(preset.id).status == 200)
        }
        #expect(try Catalogue.rows(of: a.userID, Shared.server.get()) == before)
    }

    @Test("A's cursor, entity tag and device id give B nothing of A")
    func cursors() throws {
        let a = try Shared.newDevice()
        let b = try Shared.newDevice()
        #expect(try a.post(Preset().json).status == 201)
        let own = Preset("B's own")
        #expect(try b.post(own.json).status == 201)
        let first = try a.pull()
        let answer = try b.pull(
            "sync_token=\(first.string("sync_token"))&device_id=phone",
            [("If-None-Match", first.field("etag") ?? "")]
        )
        #expect(answer.status == 200)
        #expect(answer.json["reset"] as? Bool == true)
        #expect(answer.rawElements("configurations") == [own.json])
        #expect(try b.pull("", [("If-None-Match", first.field("etag") ?? "")]).status == 200)
    }

    @Test("A's signature is refused for B, and B's logout ends no session of A")
    func sessions() throws {
        let a = try Shared.newDevice()
        let b = try Shared.newDevice()
        let body = #"{"configuration":\#(Preset().json)}"#
        let fields = try a.signature("POST", b.client.origin + "/v2/configurations", body: body)
        let answer = try b.send("POST", "/v2/configurations", fields, body: body)
        Problems.check(answer, "401 signature-invalid")
        #expect(try b.send("POST", "/v2/auth/logout").status == 204)
        #expect(try a.pull().status == 200)
    }
}

extension Operation {
    /// The sets of header fields to try: none, and each field that the document declares.
    fileprivate var conditions: [APIClient.Fields] {
        [[]] + parameters(in: .header).map { [($0.name, $0.example)] }
    }
}
