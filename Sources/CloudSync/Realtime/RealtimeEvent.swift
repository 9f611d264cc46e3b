/// A message of a device for the account's other devices. Its text was validated, and secrets of destinations were cut out.
package struct RealtimeEvent: Sendable {
    package enum Kind: Sendable, Equatable {
        /// `accepts` has the names of commands in the status; nil without them.
        case deviceStatus(deviceID: String, accepts: [String]?)
        /// The stream's id is a UUID in lower case.
        case streamingStarted(sessionID: String)
        case streamingMetrics(sessionID: String)
        case streamingError(sessionID: String)
        case streamingStopped(sessionID: String)

        var label: MessageLabel {
            switch self {
            case .deviceStatus: .deviceStatus
            case .streamingStarted: .streamingStarted
            case .streamingMetrics: .streamingMetrics
            case .streamingError: .streamingError
            case .streamingStopped: .streamingStopped
            }
        }
    }

    package let kind: Kind
    /// The member `data`, a JSON object. It is passed on byte for byte.
    package let data: [UInt8]

    package init(_ kind: Kind, data: [UInt8]) {
        self.kind = kind
        self.data = data
    }
}

/// The newest changes of an account's collections, as sync tokens.
package struct RealtimeHeads: Sendable, Equatable {
    package var configurations = ""
    package var recordings = ""

    package init() {}
}

/// The present state of an account.
package struct RealtimeState: Sendable {
    /// Differs from the version of every other state that this server has had of the account while somebody was there.
    package let version: Int
    package let heads: RealtimeHeads
    /// The devices that are not offline, in the order of their names.
    package let devices: [RealtimeDevice]
}

/// A device with a socket, or one that had its last some seconds ago.
package struct RealtimeDevice: Sendable {
    package let name: String
    /// False: it has no socket any more. A device at another server counts as connected until it is offline.
    package let isConnected: Bool
    /// The server that delivers commands to it.
    package let serverID: String
    /// The data of its last `device_status`. Nil: it has sent none, and is not shown.
    package let status: [UInt8]?
    /// The names of commands in the status; nil without them.
    package let accepts: [String]?
    /// In the order of their ids.
    package let streams: [RealtimeStream]
}

/// A stream, by the data of the newest message of each type.
package struct RealtimeStream: Sendable, Equatable {
    /// A UUID in lower case.
    package let sessionID: String
    package internal(set) var started: [UInt8]?
    package internal(set) var metrics: [UInt8]?
    package internal(set) var error: [UInt8]?
    /// When the last message came, in milliseconds of this server's clock; 0 for a device of another server.
    var touchedMs: UInt64 = 0

    var byteCount: Int { (started?.count ?? 0) + (metrics?.count ?? 0) + (error?.count ?? 0) }
}
