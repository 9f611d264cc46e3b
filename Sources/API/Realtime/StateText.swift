import CloudSync
import NeuroViewsJSON

/// The JSON of `GET /realtime/state`.
enum StateText {
    /// A device that never sent a status is not shown; its streams are.
    static func json(_ state: RealtimeState) -> [UInt8] {
        var writer = JSONWriter(reservingBytes: 1024)
        writer.beginObject()
        writer.member("heads")
        writer.beginObject()
        writer.member("configurations", string: state.heads.configurations)
        writer.member("recordings", string: state.heads.recordings)
        writer.endObject()
        writer.member("devices")
        writer.beginArray()
        for device in state.devices { write(device, to: &writer) }
        writer.endArray()
        writer.member("streams")
        writer.beginArray()
        for device in state.devices {
            for stream in device.streams { write(stream, of: device.name, to: &writer) }
        }
        writer.endArray()
        writer.endObject()
        return writer.bytes
    }

    private static func write(_ device: RealtimeDevice, to writer: inout JSONWriter) {
        guard let data = device.status else { return }
        writer.beginObject()
        writer.member("device_id", string: device.name)
        copy("status", of: data, to: &writer)
        writer.endObject()
    }

    private static func write(_ stream: RealtimeStream, of device: String, to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("device_id", string: device)
        writer.member("session_id", string: stream.sessionID)
        if !copy("destinations", of: stream.started, to: &writer) {
            writer.member("destinations", raw: Array("[]".utf8))
        }
        copy("metrics", of: stream.metrics, to: &writer)
        copy("error", of: stream.error, to: &writer)
        writer.endObject()
    }

    /// Writes a member of a message's `data`, byte for byte. Returns false if there is none.
    @discardableResult
    private static func copy(_ name: String, of data: [UInt8]?, to writer: inout JSONWriter) -> Bool {
        guard let data, let range = JSONText.range(ofMember: name, in: data[...]) else { return false }
        writer.member(name, raw: Array(data[range]))
        return true
    }
}
