import NeuroViewsJSON

/// The texts of the messages that the server sends.
package enum RealtimeText {
    /// A message of that type. `data` is written byte for byte.
    package static func message(_ type: String, from device: String?, data: [UInt8]) -> [UInt8] {
        written(reservingBytes: data.count + 128) { writer in
            writer.member("type", string: type)
            if let device { writer.member("from", string: device) }
            writer.member("data", raw: data)
        }
    }

    /// The notice of new heads: a hint to pull.
    package static func accountChanged(_ heads: RealtimeHeads) -> [UInt8] {
        written { writer in
            writer.member("type", string: "account_changed")
            writer.member("data")
            writer.beginObject()
            writer.member("configurations", string: heads.configurations)
            writer.member("recordings", string: heads.recordings)
            writer.endObject()
        }
    }

    /// The server's own status of a device that has gone.
    package static func offline(_ device: String) -> [UInt8] {
        let data = written { writer in
            writer.member("device_id", string: device)
            writer.member("status")
            writer.beginObject()
            writer.member("state", string: "offline")
            writer.endObject()
        }
        return message("device_status", from: device, data: data)
    }

    /// The end of a stream, by its device's message, silence or absence.
    package static func stopped(_ device: String, _ sessionID: String) -> [UInt8] {
        let data = written { $0.member("session_id", string: sessionID) }
        return message("streaming_stopped", from: device, data: data)
    }

    /// A command for its device, with the time that is left.
    package static func command(_ command: OpenCommand, remainingMs: Int) -> [UInt8] {
        written(reservingBytes: command.message.count + 192) { writer in
            writer.member("type", string: "remote_command")
            writer.member("id", string: command.id)
            writer.member("from", string: command.sender)
            writer.member("timeout_ms", integer: Int64(remainingMs))
            writer.member("data", raw: command.message)
        }
    }

    private static func written(reservingBytes capacity: Int = 256, _ body: (inout JSONWriter) -> Void) -> [UInt8] {
        var writer = JSONWriter(reservingBytes: capacity)
        writer.beginObject()
        body(&writer)
        writer.endObject()
        return writer.bytes
    }
}
