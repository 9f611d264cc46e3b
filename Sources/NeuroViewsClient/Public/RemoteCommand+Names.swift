#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The commands whose names and parameters the interface fixes, so that apps of different makers understand each other.
extension RemoteCommand {
    /// Begins a recording, by a configuration or by the one that is in use.
    public static func startVideoRecording(configuration: UUID? = nil) -> RemoteCommand {
        RemoteCommand("start_video_recording", configuration.map { ["configuration_id": .string(text($0))] })
    }

    /// Ends the recording.
    public static func stopVideoRecording() -> RemoteCommand { RemoteCommand("stop_video_recording") }

    /// Takes a photo.
    public static func capturePhoto() -> RemoteCommand { RemoteCommand("capture_photo") }

    /// Uses another camera, such as `front`.
    public static func switchCamera(position: String) -> RemoteCommand {
        RemoteCommand("switch_camera", ["position": .string(position)])
    }

    /// Sets the zoom.
    public static func setZoom(factor: Double) -> RemoteCommand {
        RemoteCommand("set_zoom", ["factor": JSONValue(floatLiteral: factor)])
    }

    /// Sets the exposure compensation, in EV.
    public static func setExposureCompensation(value: Double) -> RemoteCommand {
        RemoteCommand("set_exposure_compensation", ["value": JSONValue(floatLiteral: value)])
    }

    /// Uses a configuration from now on.
    public static func loadConfiguration(_ id: UUID) -> RemoteCommand {
        RemoteCommand("load_configuration", ["configuration_id": .string(text(id))])
    }

    /// Begins a stream to destinations that the device knows by these ids.
    public static func startStreaming(destinations: [String]) -> RemoteCommand {
        RemoteCommand("start_streaming", ["destination_ids": .array(destinations.map { .string($0) })])
    }

    /// Ends a stream.
    public static func stopStreaming(_ id: UUID) -> RemoteCommand {
        RemoteCommand("stop_streaming", ["session_id": .string(text(id))])
    }

    private static func text(_ id: UUID) -> String { id.uuidString.lowercased() }
}
