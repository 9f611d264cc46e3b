/// The type of a message, as the metrics count it.
package enum MessageLabel: Int, CaseIterable, Sendable {
    case streamingStarted, streamingMetrics, streamingError, streamingStopped
    case deviceStatus, remoteCommand, commandResult
    /// Only the server sends these.
    case accountChanged, error
    /// Of a message that was not taken: it came too fast, or is against the rules.
    case dropped, invalid

    /// The member `type` of the message, and the value of the metric's label.
    package var name: String {
        switch self {
        case .streamingStarted: "streaming_started"
        case .streamingMetrics: "streaming_metrics"
        case .streamingError: "streaming_error"
        case .streamingStopped: "streaming_stopped"
        case .deviceStatus: "device_status"
        case .remoteCommand: "remote_command"
        case .commandResult: "command_result"
        case .accountChanged: "account_changed"
        case .error: "error"
        case .dropped: "dropped"
        case .invalid: "invalid"
        }
    }
}
