import Hummingbird
import Logging

// hummingbird-peer PORT text|json LOG NAME=VALUE…: answers /healthz as the server does, with the same fields and a log of every request.

struct Health: ResponseEncodable {
    let status: String
}

let arguments = CommandLine.arguments
guard arguments.count >= 4, let port = Int(arguments[1]) else { fatalError("PORT text|json LOG NAME=VALUE…") }
let log = try AccessLog(path: arguments[3])
let router = Router(context: PeerContext.self)
router.addMiddleware {
    log
    Fields(arguments.dropFirst(4))
}
if arguments[2] == "json" {
    router.get("healthz") { _, _ in Health(status: "ok") }
} else {
    router.get("healthz") { _, _ in #"{"status":"ok"}"# }
}
var logger = Logger(label: "peer")
logger.logLevel = .error
let application = Application(
    router: router,
    configuration: .init(address: .hostname("127.0.0.1", port: port)),
    services: [log],
    logger: logger
)
try await application.runService()
