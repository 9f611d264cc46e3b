@testable import NeuroViewsWebSocket

/// The messages of a WebSocket do not depend on the split of the bytes, keep their limits, and survive a way through frames.
enum FrameTarget {
    private static let maxBytes = 1000
    private static let fragmentsMax = 5
    private static let singleBytesMax = 1024

    static func check(_ bytes: [UInt8]) throws {
        var input = FuzzInput(bytes)
        let role: MessageReader.Role = input.choice() & 1 == 0 ? .server : .client
        let pieces = input.pieces()
        let whole = try read([input.message], role)
        try property("split like \(pieces.map(\.count)) it is the same", try read(pieces, role) == whole)
        if input.message.count <= singleBytesMax {
            let single = try read(input.message.indices.map { input.message[$0...$0] }, role)
            try property("byte by byte it is the same", single == whole)
        }
        try checkUTF8(Array(input.message))
        try checkRoundTrip(pieces.map { Array($0) }, role)
    }

    private static func read(
        _ pieces: [ArraySlice<UInt8>],
        _ role: MessageReader.Role
    ) throws -> [MessageReader.Event] {
        var reader = MessageReader(role: role, messageMaxBytes: maxBytes, fragmentsMax: fragmentsMax)
        var events: [MessageReader.Event] = []
        for piece in pieces {
            let isOver = events.last.map(isLast) ?? false
            let more = reader.take(Array(piece))
            try property("nothing follows the end", !isOver || more.isEmpty)
            try property("only the limits are kept", reader.keptBytes <= maxBytes + FrameHead.shortMaxBytes)
            events += more
        }
        for (index, event) in events.enumerated() {
            try property("the end is the last event", !isLast(event) || index == events.count - 1)
            try check(event)
        }
        return events
    }

    private static func isLast(_ event: MessageReader.Event) -> Bool {
        switch event {
        case .close, .fault: true
        case .message, .ping, .pong: false
        }
    }

    private static func check(_ event: MessageReader.Event) throws {
        switch event {
        case .message(let bytes, let isText):
            try property("a message is within its limit", bytes.count <= maxBytes)
            try property("text is UTF-8", !isText || String(validating: bytes, as: UTF8.self) != nil)
        case .ping(let payload), .pong(let payload):
            try property("a control frame is short", payload.count <= FrameHead.shortMaxBytes)
        case .close(let code, let reason):
            try property("a code may be sent", code.map { CloseCode(rawValue: $0).isValidOnWire } ?? reason.isEmpty)
        case .fault(let code): try property("a fault may be sent", code.isValidOnWire)
        }
    }

    /// The check agrees with the standard library, also byte by byte.
    private static func checkUTF8(_ bytes: [UInt8]) throws {
        var (whole, single) = (UTF8Check(), UTF8Check())
        let isText = whole.take(bytes) && whole.isComplete
        try property("UTF-8 is what it is elsewhere", isText == (String(validating: bytes, as: UTF8.self) != nil))
        let isSame = (bytes.allSatisfy { single.take([$0]) } && single.isComplete) == isText
        try property("UTF-8 byte by byte is the same", isSame)
    }

    /// The first four pieces are the frames of a message.
    private static func checkRoundTrip(_ pieces: [[UInt8]], _ role: MessageReader.Role) throws {
        let frames = pieces.prefix(fragmentsMax - 1)
        let message = frames.flatMap { $0 }
        guard message.count <= maxBytes else { return }
        var bytes: [UInt8] = []
        for (index, frame) in frames.enumerated() {
            bytes += FrameWriter.frame(
                index == 0 ? .binary : .continuation,
                frame,
                isFinal: index == frames.count - 1,
                mask: role == .server ? [1, 2, UInt8(index), 255] : []
            )
        }
        try property("a message comes through", try read([bytes[...]], role) == [.message(message, isText: false)])
    }
}
