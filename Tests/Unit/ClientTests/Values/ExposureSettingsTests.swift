import Testing

@testable import NeuroViewsClient

@Suite("The exposure of a configuration")
struct ExposureSettingsTests {
    @Test("A document without exposure gets it with the first member")
    func first() {
        var configuration = Preset.stored(#"{"name":"Night"}"#)
        configuration.exposure.iso = 400
        #expect(configuration.text == #"{"name":"Night","exposure_settings":{"iso":400}}"#)
        #expect(configuration.pointers == ["/exposure_settings/iso"])
    }

    @Test("Several assignments note several members")
    func several() {
        var configuration = Preset.stored()
        var settings = configuration.exposure
        settings.iso = 800
        settings.mode = nil
        configuration.exposure = settings
        #expect(configuration.pointers == ["/exposure_settings/iso", "/exposure_settings/mode"])
        #expect(configuration.exposure == settings)
    }

    @Test("Settings of another configuration are one value, with an edit of theirs or without")
    func others() {
        let other = Preset.stored(#"{"exposure_settings":{"shutter_speed":2,"iso":100}}"#)
        var edited = other.exposure
        edited.iso = 200
        for settings in [other.exposure, edited, ExposureSettings()] {
            var configuration = Preset.stored()
            configuration.exposure = settings
            #expect(configuration.pointers == ["/exposure_settings"])
            #expect(configuration.exposure == settings)
        }
    }

    @Test("Members that the library does not know can be read, assigned and removed")
    func unknown() {
        var configuration = Preset.stored()
        #expect(configuration.exposure["bracket"] == [1, 0.1])
        configuration.exposure["bracket"] = nil
        configuration.exposure["metering"] = "spot"
        #expect(configuration.exposure["bracket"] == nil && configuration.exposure["metering"] == "spot")
        #expect(configuration.pointers == ["/exposure_settings/bracket", "/exposure_settings/metering"])
    }

    @Test(
        "Doubles are written in their shortest text",
        arguments: [(400, "400"), (0.000125, "0.000125"), (-0.3, "-0.3")]
    )
    func shortest(value: Double, text: String) {
        var configuration = Preset.stored("{}")
        configuration.exposure.iso = value
        #expect(configuration.text == #"{"exposure_settings":{"iso":\#(text)}}"#)
    }

    @Test("Infinities and NaN are refused", arguments: [Double.infinity, -.infinity, .nan])
    func infinite(value: Double) {
        var configuration = Preset.stored()
        configuration.exposure.shutterSpeed = value
        #expect(configuration.invalid == InvalidEdit(pointer: "/exposure_settings/shutter_speed", reason: .notFinite))
        #expect(configuration == Preset.stored() && configuration.pointers.isEmpty)
        #expect(CameraConfiguration(name: "a", exposure: ExposureSettings(iso: value)).invalid?.reason == .notFinite)
    }
}
