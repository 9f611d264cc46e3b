import Foundation
import TestSupport
import Testing

@Suite("What a server forgets by itself")
struct SweepTests {
    @Test("Old documents go when a server runs, as its settings say, and log and metrics tell how many")
    func retention() throws {
        let arguments = ["--registration", "open", "--signatures", "optional", "--versions-max", "2"]
        let server = try ServerProcess(arguments + ["--conflicts-kept-days", "30"])
        defer { _ = try? server.stop() }
        let device = try Device.new(server.client)
        let preset = Preset()
        #expect(try device.post(preset.json).status == 201)
        for minute in 1..<5 {
            #expect(try device.put(preset.id, preset.edited("Edit", minute: minute).json).status == 200)
        }
        #expect(try device.post(preset.edited("Loser", minute: 9).json).status == 409)
        #expect(try device.conflicts(preset.id).objects("conflicts").count == 1)
        try server.sql(
            """
            UPDATE configuration_versions SET changed_at = changed_at - interval '1 hour';
            UPDATE configuration_conflicts SET received_at = received_at - interval '31 days'
            """
        )
        try server.stop()
        try server.start()
        try Deadline.wait("a sweep", seconds: 30) { server.log.contains("retention versions=3 conflicts=1") }
        var again = device
        again.client = server.client
        #expect(
            try again.versions(preset.id).members("has_document", of: "versions") == [true, true, false, false, false]
        )
        #expect(try again.conflicts(preset.id).objects("conflicts").isEmpty)
        #expect(try again.get(preset.id).text == preset.edited("Edit", minute: 4).json)
        let metrics = try Exposition(server.adminClient.send("GET", "/metrics").text)
        #expect(metrics.value("neuroviews_retention_documents_total", ["kind": "version"]) == 3)
        #expect(metrics.value("neuroviews_retention_documents_total", ["kind": "conflict"]) == 1)
    }
}
