import Foundation
import TestSupport
import Testing

@Suite("The lowest signature version of a session", .blocking)
struct SignatureVersionTests {
    private static let target = "/v2/configurations"

    /// Sends a write with a signature of this version; 0 stands for no signature.
    private func write(_ device: Device, _ version: Int) throws -> String {
        let body = #"{"configuration":\#(Preset().json)}"#
        let url = device.client.origin + Self.target
        let fields = version == 0 ? [] : try device.signature("POST", url, body: body, version: version)
        return try device.send("POST", Self.target, fields, body: body).verdict
    }

    private func read(_ device: Device, _ version: Int) throws -> String {
        let url = device.client.origin + Self.target
        let fields = version == 0 ? [] : try device.signature("GET", url, version: version)
        return try device.send("GET", Self.target, fields).verdict
    }

    private func stored(_ device: Device) throws -> [String] {
        try Shared.server.get().sql("SELECT signature_version FROM sessions WHERE id = '\(device.sessionID)'")
    }

    private static let low = "401 signature-version-low"

    @Test("Signed writes and reads raise a session's lowest version, and lower ones are refused afterwards")
    func floor() throws {
        for reads in [false, true] {
            let device = try Shared.newDevice()
            let (ask, good) = (reads ? read : write, reads ? "200" : "201")
            #expect(try ask(device, 0) == good)
            #expect(try stored(device) == ["0"])
            for version in [1, 3] {
                #expect(try ask(device, version) == good)
                #expect(try stored(device) == ["\(version)"])
                let lower = [0, 1].filter { $0 < version }
                for (lower, ask, good) in lower.flatMap({ [($0, read, "200"), ($0, write, "201")] }) {
                    let isLeft = lower == 0 && version < 3
                    #expect(try ask(device, lower) == (isLeft ? good : Self.low), "\(lower) after \(version)")
                }
                #expect(try ask(device, version) == good)
            }
        }
    }

    @Test("A refresh keeps the session's lowest version; another session or a new login has its own")
    func scope() throws {
        let device = try Shared.newDevice()
        let tablet = try Shared.session(of: device, on: "tablet")
        #expect(try write(device, 3) == "201")
        #expect(try write(tablet, 0) == "201")
        let url = device.client.origin + "/v2/auth/refresh"
        #expect(try device.send("POST", "/v2/auth/refresh").verdict == Self.low)
        let fields = try device.signature("POST", url, version: 3)
        var refreshed = device
        refreshed.token = try device.send("POST", "/v2/auth/refresh", fields).string("token")
        #expect(try write(refreshed, 1) == Self.low)
        #expect(try write(refreshed, 3) == "201")
    }

    @Test("Refused signatures and requests without a session do not change the session's lowest version")
    func refused() throws {
        let device = try Shared.newDevice()
        let url = device.client.origin + Self.target
        let forged = try Shared.device().signature("GET", url, version: 3)
        #expect(try device.send("GET", Self.target, forged).verdict == "401 signature-invalid")
        let late = try device.signature("GET", url, version: 3, timestamp: 1)
        #expect(try device.send("GET", Self.target, late).verdict == "401 clock-skew")
        #expect(try stored(device) == ["0"])
        #expect(try write(device, 3) == "201")
        #expect(try write(device, 1) == Self.low)
        #expect(try stored(device) == ["3"])
    }

    @Test("A request refused for its lower version changes nothing and leaves its nonce unused")
    func undone() throws {
        let device = try Shared.newDevice()
        #expect(try write(device, 3) == "201")
        let count = "SELECT count(*) FROM configurations WHERE user_id = '\(device.userID)'"
        let nonces = "SELECT count(*) FROM nonces WHERE session_id = '\(device.sessionID)'"
        let server = try Shared.server.get()
        let before = try server.sql(count) + server.sql(nonces)
        for version in [0, 1] { #expect(try write(device, version) == Self.low) }
        #expect(try server.sql(count) + server.sql(nonces) == before)
    }

    @Test("The session's row is written when its version rises, and not with each request")
    func cost() throws {
        let device = try Shared.newDevice()
        #expect(try read(device, 3) == "200")
        func version() throws -> [String] {
            try Shared.server.get().sql("SELECT xmin FROM sessions WHERE id = '\(device.sessionID)'")
        }
        let before = try version()
        for _ in 0..<3 { #expect(try read(device, 3) == "200" && write(device, 3) == "201") }
        #expect(try version() == before)
    }

    @Test("A server that requires version 3 refuses version 1 by name")
    func lowest() throws {
        let server = try ServerProcess(["--registration", "open", "--signatures", "required-v3"])
        defer { _ = try? server.stop() }
        let device = try Device.new(server.client)
        #expect(try write(device, 1) == Self.low)
        #expect(try write(device, 0) == "401 signature-missing")
        #expect(try write(device, 3) == "201")
    }
}
