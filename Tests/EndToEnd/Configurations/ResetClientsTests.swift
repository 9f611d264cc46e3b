import TestSupport
import Testing

@Suite("The command admin reset-clients", .blocking)
struct ResetClientsTests {
    @Test("Clients of the named account get a full set while the server runs, and other clients do not")
    func one() throws {
        let server = try Shared.server.get()
        let (device, other) = (try Shared.newDevice(), try Shared.newDevice())
        let preset = Preset()
        #expect(try device.post(preset.json).status == 201)
        let tokens = try [device, other].map { try $0.pull().string("sync_token") }
        let arguments = ["admin", "reset-clients", "--data", server.data, "--account"]
        #expect(try Operator.succeed(arguments + [device.email.uppercased()]).hasPrefix("clients of "))

        let pulled = try device.pull("sync_token=\(tokens[0])")
        #expect(pulled.json["reset"] as? Bool == true)
        #expect(pulled.rawElements("configurations") == [preset.json])
        #expect(try device.pull("sync_token=\(pulled.string("sync_token"))").json["reset"] as? Bool == false)
        #expect(try other.pull("sync_token=\(tokens[1])").json["reset"] as? Bool == false)
    }

    @Test("reset-clients of an unknown address ends with status 67 and a sentence")
    func unknown() throws {
        let server = try Shared.server.get()
        let program = try Operator.run(
            ["admin", "reset-clients", "--data", server.data, "--account", "unknown@example.org"]
        )
        #expect(program.status == 67)
        let sentence = "There is no account unknown@example.org: check the spelling."
        #expect(program.complaint == "neuroviews-server: \(sentence)\n")
    }

    @Test("reset-clients --all prints the number of accounts, and needs a migrated database")
    func all() throws {
        let database = try TestCluster.shared.get().makeDatabase()
        let places = ["--data", Sandbox.makeFolder() + "/data", "--database-url", database]
        #expect(
            try Operator.run(["admin", "reset-clients", "--all"] + places).complaint.contains(
                "run neuroviews-server migrate"
            )
        )
        try Operator.succeed(["migrate"] + places)
        #expect(
            try Operator.succeed(["admin", "reset-clients", "--all"] + places)
                == "clients of 0 accounts will get the full set\n"
        )
        let nowhere = try Operator.run(["admin", "reset-clients", "--all", "--data", Sandbox.makeFolder() + "/data"])
        #expect(nowhere.status == 69)
        #expect(nowhere.complaint.contains("There is no database in the data folder"))
    }
}
