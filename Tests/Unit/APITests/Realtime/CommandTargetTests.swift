import NeuroViewsJSON
import Testing

@testable import CloudSync

@Suite("Target of a command")
struct CommandTargetTests {
    private static func device(
        _ name: String,
        accepts: [String]? = nil,
        hasStatus: Bool = true,
        isConnected: Bool = true
    ) -> RealtimeDevice {
        RealtimeDevice(
            name: name,
            isConnected: isConnected,
            serverID: "server of \(name)",
            status: hasStatus ? Array("{}".utf8) : nil,
            accepts: accepts,
            streams: []
        )
    }

    private static func target(_ command: String, to name: String? = nil, _ devices: [RealtimeDevice]) throws
        -> CommandTarget
    {
        let to = name.map { #","to":"\#($0)""# } ?? ""
        let body = Array(#"{"command":\#(command)\#(to)}"#.utf8)
        let sent = try RemoteCommand(body: body, JSONParser.parse(body, policy: .requestBody))
        return CommandTarget.of(sent, from: "watch", among: devices)
    }

    private static func found(_ name: String) -> CommandTarget { .device(name: name, serverID: "server of \(name)") }

    @Test("The named device gets the command if it is connected, whatever others accept")
    func named() throws {
        let devices = [Self.device("camera", accepts: ["zoom"]), Self.device("tablet", accepts: [])]
        #expect(try Self.target(#""zoom""#, to: "tablet", devices) == Self.found("tablet"))
        #expect(try Self.target(#""zoom""#, to: "phone", devices) == .absent(name: "phone"))
    }

    @Test("Without a name the one other device that accepts the command gets it")
    func accepting() throws {
        let devices = [
            Self.device("camera", accepts: ["zoom"]), Self.device("tablet", accepts: ["stop"]), Self.device("phone"),
            Self.device("watch", accepts: ["zoom"]),
        ]
        #expect(try Self.target(#""zoom""#, devices) == Self.found("camera"))
        #expect(try Self.target(#""stop""#, devices) == Self.found("tablet"))
    }

    @Test("When no device accepts it, the one whose status names no commands gets it")
    func undeclared() throws {
        let devices = [
            Self.device("camera", accepts: ["zoom"]), Self.device("phone"), Self.device("tablet", hasStatus: false),
        ]
        #expect(try Self.target(#""focus""#, devices) == Self.found("phone"))
        #expect(try Self.target(#"{"zoom":2}"#, devices) == Self.found("phone"))
    }

    @Test("When every other device names other commands or has no status, the only one gets it")
    func only() throws {
        #expect(try Self.target(#""zoom""#, [Self.device("camera", accepts: ["stop"])]) == Self.found("camera"))
        #expect(try Self.target(#""zoom""#, [Self.device("camera", hasStatus: false)]) == Self.found("camera"))
        #expect(try Self.target(#""zoom""#, [Self.device("watch")]) == .absent(name: nil))
        #expect(try Self.target(#""zoom""#, []) == .absent(name: nil))
    }

    @Test(
        "A device without a socket, or one that accepts nothing, gets a command only by its name",
        arguments: [(["zoom"], false), ([], true)] as [([String], Bool)]
    )
    func passedOver(accepts: [String], isConnected: Bool) throws {
        let phone = Self.device("phone", accepts: accepts, isConnected: isConnected)
        let camera = Self.device("camera", hasStatus: false)
        #expect(try Self.target(#""zoom""#, [camera, phone]) == Self.found("camera"))
        #expect(try Self.target(#""zoom""#, [phone]) == .absent(name: nil))
        #expect(try Self.target(#""zoom""#, to: "phone", [camera, phone]) == Self.found("phone"))
    }

    @Test("Several candidates are listed, and nobody gets the command")
    func several() throws {
        let devices = [
            Self.device("tablet", accepts: ["zoom"]), Self.device("camera", accepts: ["zoom"]), Self.device("phone"),
        ]
        #expect(try Self.target(#""zoom""#, devices) == .several(["camera", "tablet"]))
    }
}
