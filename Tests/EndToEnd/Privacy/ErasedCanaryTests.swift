import Foundation
import TestSupport
import Testing

/// Searches all stored data for the texts that a person sent. The log keeps the ids in the paths of requests, and
/// nothing else.
@Suite("No trace of an erased account", .inFull, .blocking)
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
        // Else autovacuum would do it at any time. It copies values into a catalogue that no erasure can change.
        #expect(try server.psql("ANALYZE", user: "postgres").status == 0)
        let before = try found(mark, server)
        #expect(before.contains("neuroviews.users") && before.contains("neuroviews.configurations"), "\(before)")
        #expect(!before.contains(Self.statistics), "\(before)")
        #expect(try found(device.userID, server).contains(Self.statistics))

        let answer = try device.erase()
        #expect(answer.status == 200 && answer.json["complete"] as? Bool == true, "\(answer.text)")
        #expect(try found(mark, server) == [])
        #expect(try found(Self.hex(mark), server) == [])
        // Statistics keep random ids, which lead to nothing.
        #expect(try found(device.userID, server).filter { $0 != Self.statistics } == [])
        #expect(try found(device.sessionID, server).filter { $0 != Self.statistics } == [])
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

    private static let statistics = "pg_catalog.pg_statistic"

    private static func hex(_ mark: String) -> String { mark.utf8.map { String(format: "%02x", $0) }.joined() }

    /// The places of the mark: names of tables, catalogues, TOAST tables and files.
    private func found(_ mark: String, _ server: ServerProcess) throws -> [String] {
        try relations(with: mark, server) + files(with: mark, server)
    }

    /// Searches each relation that has rows, as the superuser. A TOAST table has parts of values, which PostgreSQL may
    /// have compressed; their tables are searched, too.
    private func relations(with mark: String, _ server: ServerProcess) throws -> [String] {
        let searches = try server.psql(
            """
            SELECT format(
                'SELECT %L WHERE EXISTS (SELECT FROM %s t WHERE strpos(%s, %L) > 0);', c.oid::regclass::text, c.oid::regclass,
                CASE c.relkind WHEN 't' THEN 'encode(chunk_data, ''escape'')' ELSE 't::text' END, '\(mark)')
            FROM pg_class c WHERE c.relkind IN ('r', 'm', 't') ORDER BY c.oid
            """,
            user: "postgres"
        )
        guard searches.status == 0 else { throw Program.Failure(searches.complaint) }
        let found = try server.psql("SET search_path = ''; " + searches.output, user: "postgres")
        guard found.status == 0 else { throw Program.Failure(found.complaint) }
        return found.output.split(separator: "\n").map { $0.contains(".") ? String($0) : "pg_catalog.\($0)" }
    }

    /// The files outside of PostgreSQL's tables and WAL. SECURITY.md says how long those keep old bytes.
    private func files(with mark: String, _ server: ServerProcess) throws -> [String] {
        let own = ["base", "global", "pg_wal"].map { "postgres/\($0)/" }
        return Operator.tree(server.data).filter { name in !own.contains { name.hasPrefix($0) } }.filter {
            FileManager.default.contents(atPath: "\(server.data)/\($0)")?.range(of: Data(mark.utf8)) != nil
        }
    }
}
