import CloudSync
import JSONSchema
import NeuroViewsJSON
import Problems

/// The texts that a socket makes for its own client.
enum SocketText {
    static let rateAdvice = "Send at most 20 messages and 64 KiB a second. This message was dropped."
    static let resultsAdvice = "Send it again when earlier results have been stored. This one was dropped."
    static let commandsAdvice = "Wait for the outcome of an open command. This one was not sent."

    /// An `error` about one message.
    static func error(_ problem: Problem, _ reply: String?, base: String, instance: String) -> [UInt8] {
        message("error") { writer in
            if let reply { writer.member("reply_to", string: reply) }
            writer.member("problem")
            problem.write(to: &writer, base: base, instance: instance)
        }
    }

    /// The outcome of a command for its sender.
    static func result(_ outcome: CommandOutcome) -> [UInt8] {
        message("command_result") { outcome.write(to: &$0, id: "reply_to") }
    }

    /// The problem of an event that the hub did not take.
    static func refused(_ refusal: PublishRefusal) -> Problem {
        switch refusal {
        case .otherDevice(let own):
            let rule = "must be the device of this session: \(own)"
            let violation = Violation(pointer: "/data/device_id", keyword: "const", detail: rule)
            return Problem(CloudSyncError.invalid([violation]))
        case .statesTooLarge:
            return Problem(
                .bodyTooLarge,
                "The states of a device may have at most 16 KiB, those of an account 64 KiB. This one was dropped."
            )
        }
    }

    private static func message(_ type: String, _ data: (inout JSONWriter) -> Void) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("type", string: type)
        writer.member("data")
        writer.beginObject()
        data(&writer)
        writer.endObject()
        writer.endObject()
        return writer.bytes
    }
}
