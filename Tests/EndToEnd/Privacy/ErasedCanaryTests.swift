import Foundation
import TestSupport
import Testing

/// Searches all stored data for the texts that a person sent. The log keeps the ids in the paths of requests, and
/// nothing else.
@Suite("No trace of an erased account", .blocking)
struct ErasedCanaryTests {
    @Test("The database, the data folder and the log have nothing of an erased account")
    func traces() throws {
        let server = try ServerProcess(
            ["--registration", "open", "--signatures", "optional", "--media-jobs", "0", "--log-level", "debug"]
        )
        defer { _ = try? server.stop() }
        let neighbour = try Device.new(server.client)
        let kept = Preset("neighbour-\(UUID().uuidString)")
        #expect(try neighbour.post(kept.json).status == 201)
        let mark = "canary\(UUID().uuidString.filter { $0 != "-" }.lowercased())"
        let device = try account(of: mark, server)
        let export = try device.export()
        #expect(export.status == 200 && export.text.components(separatedBy: mark).count > 12, "everything has the mark")
        #expect(try found(mark, server).contains("the database"))

        let answer = try device.erase()
        #expect(answer.status == 200 && answer.json["complete"] as? Bool == true, "\(answer.text)")
        #expect(try found(mark, server).isEmpty)
        #expect(try found(device.userID, server).isEmpty)
        #expect(try found(device.sessionID, server).isEmpty)
        #expect(try neighbour.get(kept.id).text == kept.json)
        #expect(try server.stop() == 0)
        #expect(!server.log.contains(mark) && !server.log.contains(device.email))
    }

    /// A new account with the mark in its address, device, documents, files and events.
    private func account(of mark: String, _ server: ServerProcess) throws -> Device {
        let email = "\(mark)@example.org"
        #expect(try Device.register(server.client, email).status == 201)
        let device = try Device.logIn(server.client, email, name: mark)
        let preset = Preset(mark, more: #","note":"\#(mark)""#)
        #expect(try device.post(preset.json, [("Idempotency-Key", mark)]).status == 201)
        #expect(try device.put(preset.id, preset.edited("\(mark) edited", minute: 3).json).status == 200)
        #expect(try device.post(preset.edited("\(mark) lost", minute: 1).json).status == 409)
        #expect(try device.send("PUT", "/v2/devices/other", body: #"{"name":"\#(mark)"}"#).status == 201)
        for isComplete in [true, false] {
            let file = try FileOnItsWay(device, Array(mark.utf8), #","device_id":"\#(mark)""#)
            if isComplete {
                #expect(try file.answer("PUT", [], file.bytes).status == 201)
                let metadata = #"{"filename":"\#(mark).mov","created_at":"2026-03-01T12:00:00Z","tags":["\#(mark)"]}"#
                #expect(try device.complete(file.id, metadata).status == 200)
            } else {
                #expect(try file.append(0..<20, isLast: false).status == 204)
            }
        }
        try device.agree(version: mark)
        let event = #"{"name":"\#(mark)","timestamp":"\#(Device.eventTime())","parameters":{"x":"\#(mark)"}}"#
        #expect(try device.send("POST", "/v2/analytics/events", body: #"{"events":[\#(event)]}"#).status == 200)
        return device
    }

    /// The places of the mark: the database, or the names of files.
    private func found(_ mark: String, _ server: ServerProcess) throws -> [String] {
        let dump = try Program.run(["pg_dump", "-h", server.data + "/socket", "-U", "postgres", "-d", "neuroviews"])
        guard dump.status == 0 else { throw Program.Failure(dump.complaint) }
        let files = Operator.tree(server.data).filter { !$0.hasPrefix("postgres/") }
        return (dump.output.contains(mark) ? ["the database"] : [])
            + files.filter {
                FileManager.default.contents(atPath: "\(server.data)/\($0)")?.range(of: Data(mark.utf8)) != nil
            }
    }
}
