import Testing

@testable import NeuroViewsClient

@Suite("Values that the library does not know")
struct OpenValueTests {
    @Test("A value of a later server is read, shown and kept")
    func unknown() {
        let text = #"{"preset":"astro","video_format":"H.266","resolution":"16K","exposure_settings":{"mode":"ai"}}"#
        var configuration = Preset.stored(text)
        #expect(configuration.preset == CameraPreset(rawValue: "astro"))
        #expect(configuration.videoFormat.rawValue == "H.266")
        #expect(configuration.resolution.rawValue == "16K")
        #expect(configuration.exposure.mode?.rawValue == "ai")
        configuration.preset = configuration.preset
        configuration.videoFormat = configuration.videoFormat
        configuration.resolution = configuration.resolution
        configuration.exposure.mode = configuration.exposure.mode
        #expect(configuration.text == text)
    }

    @Test("A value that the library does not know can be assigned")
    func assigned() {
        var configuration = Preset.stored()
        configuration.preset = CameraPreset(rawValue: "astro")
        #expect(configuration["/preset"] == "astro")
    }

    @Test("Known values are equal by their text")
    func equal() {
        #expect(CameraPreset(rawValue: "night") == .night)
        #expect(VideoFormat(rawValue: "H.265") == .h265)
        #expect(VideoResolution(rawValue: "4K Cinema") == .cinema4K)
        #expect(ExposureMode(rawValue: "iso_priority") == .isoPriority)
    }
}
