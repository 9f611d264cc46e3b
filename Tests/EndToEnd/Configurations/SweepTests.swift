import Foundation
import TestSupport
import Testing

@Suite("Sweeps of a running server", .blocking)
struct SweepTests {
    @Test("A running server deletes old documents by its settings, and reports the number")
    func retention() throws {
        let arguments = ["--registration", "open", "--signatures", "optional", "--versions-max", "2"]
        let server = try ServerProcess(arguments + ["--versions-kept-days", "30"])
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
        try server.awaitLog("retention versions=3 conflicts=1")
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

    @Test("A running server counts the bytes of files without a recording that it deletes")
    func orphans() throws {
        let server = try ServerProcess()
        defer { _ = try? server.stop() }
        // Files from before a restore stay for a month.
        try server.sql("UPDATE lineage SET began_at = now() - interval '31 days'")
        try server.stop()
        // Not earlier: the first process may still be at its sweep.
        let path = "\(server.data)/objects/uploads/\(String(repeating: "a", count: 32))"
        try Data([1, 2, 3]).write(to: URL(fileURLWithPath: path))
        let time = Date(timeIntervalSinceNow: -2 * 86400)
        try FileManager.default.setAttributes([.modificationDate: time], ofItemAtPath: path)
        try server.start()
        try server.awaitLog("orphans objects=0 uploads=1 bytes=3")
        let metrics = try Exposition(server.adminClient.send("GET", "/metrics").text)
        #expect(metrics.value("neuroviews_orphan_bytes_total") == 3)
    }

    @Test(
        "A replaced document is kept as long as a request may run, and for at least ten minutes",
        arguments: [([], 500, 700), (["--request-timeout-ms", "1200000"], 1100, 1400)]
    )
    func settled(arguments: [String], youngSeconds: Int, oldSeconds: Int) throws {
        let all = ["--registration", "open", "--signatures", "optional", "--versions-max", "1"]
        let server = try ServerProcess(all + arguments)
        defer { _ = try? server.stop() }
        let device = try Device.new(server.client)
        let (young, old) = (Preset(), Preset())
        for (preset, seconds) in [(young, youngSeconds), (old, oldSeconds)] {
            #expect(try device.post(preset.json).status == 201)
            #expect(try device.put(preset.id, preset.edited("Edit", minute: 1).json).status == 200)
            try server.sql(
                """
                UPDATE configuration_versions SET changed_at = now() - interval '\(seconds) seconds'
                WHERE id = '\(preset.id)' AND version = 2
                """
            )
        }
        try server.stop()
        try server.start()
        try server.awaitLog("retention versions=1 conflicts=0")
        var again = device
        again.client = server.client
        #expect(try again.versions(young.id).members("has_document", of: "versions") == [true, true])
        #expect(try again.versions(old.id).members("has_document", of: "versions") == [true, false])
    }
}
