import Foundation
import NeuroViewsJSON

// Implements the protocol of Tests/Exams/Client/README.md. It reads commands from standard input and writes answers to
// standard output, one JSON object a line.
let arguments = CommandLine.arguments
func option(_ name: String) -> String {
    arguments.firstIndex(of: "--" + name).flatMap { $0 + 1 < arguments.count ? arguments[$0 + 1] : nil } ?? ""
}
let store = try Store(folder: option("store"))
let session = Session(
    port: URL(string: option("server"))?.port.flatMap { UInt16($0) } ?? 0,
    email: option("email"),
    password: option("password"),
    deviceID: option("device"),
    store.login
)
let client = try SyncingDevice(
    store,
    session,
    Style(rawValue: option("style")) ?? .put,
    limit: Int(option("limit")) ?? 0,
    Cursor(rawValue: option("cursor")) ?? .syncToken,
    pauseMaxS: Double(option("pause-max"))
)

while let line = readLine() {
    guard let command = try? JSONParser.parse(Array(line.utf8), policy: .rfc8259) else { continue }
    try Command(command, client).run()
}
