import Foundation
import NeuroViewsClient
import NeuroViewsRules

// Implements the protocol of Tests/Exams/Client/README.md over the library. It reads commands from standard input and
// writes answers to standard output, one JSON object a line.
let arguments = CommandLine.arguments
func option(_ name: String) -> String? {
    arguments.firstIndex(of: "--" + name).flatMap { $0 + 1 < arguments.count ? arguments[$0 + 1] : nil }
}

guard let server = option("server").flatMap({ URL(string: $0) }), let store = option("store"),
    let email = option("email"), let password = option("password"), let device = option("device")
else { fatalError("usage: sync-client --server URL --email EMAIL --password PASSWORD --device ID --store FOLDER") }

let credentials = Credentials.password(email: email, password: password)
var options = Options()
options.folder = URL(fileURLWithPath: store)
options.credentials = { credentials }

let crash = CrashPoint()
var setup = ClientSetup()
setup.transport = CrashingTransport(try CurlTransport(try Trust(server: server.absoluteString, options)), crash)
setup.place = { crash.pass() }
setup.systemID = device
setup.style = PushStyle(name: option("style") ?? "automatic")
setup.limit = option("limit").flatMap { Int64($0) } ?? 0
setup.pauseMaxMs = option("pause-max").flatMap { Double($0) }.map { Int64($0 * 1000) } ?? setup.pauseMaxMs
setup.usesLastSync = option("cursor") == "last_sync"

let user = ExamUser(
    try NeuroViews(server: server, options, setup),
    credentials,
    email: email,
    store: store,
    followsNotices: arguments.contains("--notices")
)
while let line = readLine() {
    guard let content = JSONValue(text: line) else { continue }
    let command = Command(content, user, crash)
    if command.takesTime {
        Task.detached { await command.run() }
    } else {
        await command.run()
    }
}
