import Testing

@testable import Media

@Suite("Parsing of ffprobe's output")
struct ProbeTests {
    private func read(
        video: String = #""width": 1920, "height": 1080, "avg_frame_rate": "30000/1001""#,
        more: String = "",
        format: String = #""duration": "12.5""#,
        as mediaFormat: MediaFormat = .movie
    ) -> Probe? {
        let json =
            #"{"streams": [{"codec_type": "video", "codec_name": "hevc", \#(video)}\#(more)], "format": {\#(format)}}"#
        return Probe(json: Array(json.utf8), format: mediaFormat, sizeBytes: 7)
    }

    @Test("A usual probe gives size, duration, container and codecs")
    func usual() throws {
        let tags = #", "tags": {"major_brand": "qt  "}"#
        let probe = try #require(
            read(more: #", {"codec_type": "audio", "codec_name": "aac"}"#, format: #""duration": "12.5""# + tags)
        )
        #expect((probe.width, probe.height, probe.durationSeconds) == (1920, 1080, 12.5))
        #expect((probe.container, probe.videoCodec, probe.audioCodec) == ("mov", "hevc", "aac"))
        #expect(probe.frameRate == 30000 / 1001 && probe.sizeBytes == 7)
    }

    @Test("A video with a high dynamic range is recognised by its transfer", arguments: HDRTransfer.allCases)
    func hdr(transfer: HDRTransfer) {
        func read(_ name: String) -> HDRTransfer? {
            self.read(video: #""width": 1920, "height": 1080, "color_transfer": "\#(name)""#)?.hdr
        }
        #expect(read(transfer.rawValue) == transfer)
        #expect(read("bt709") == nil && read("unknown") == nil)
    }

    @Test(
        "A picture with an impossible size is unreadable",
        arguments: [
            #""width": 65000, "height": 65000"#, #""width": 65536, "height": 2"#, #""width": 16384, "height": 16385"#,
            #""width": 0, "height": 0"#, #""width": -1920, "height": -1080"#, #""width": 1e300, "height": 1"#,
            #""width": 1920"#,
            #""width": "1920", "height": "1080""#, #""width": 99999999999999999999, "height": 1"#,
            #""width": 9223372036854775807, "height": 9223372036854775807"#,
        ]
    )
    func absurdSize(video: String) {
        #expect(read(video: video) == nil)
    }

    @Test(
        "The largest possible picture sizes are accepted",
        arguments: [(16384, 16384), (65535, 4096), (16320, 12240), (1, 1)]
    )
    func largest(width: Int, height: Int) {
        #expect(read(video: "\"width\": \(width), \"height\": \(height)")?.width == width)
    }

    @Test(
        "An impossible duration of a probe is ignored",
        arguments: ["nan", "-nan", "inf", "-1", "1e300", "99999999999", "N/A", "", "0x10000000000", "twelve"]
    )
    func duration(text: String) {
        #expect(read(format: "\"duration\": \"\(text)\"") != nil)
        #expect(read(format: "\"duration\": \"\(text)\"")?.durationSeconds == nil)
    }

    /// A movie's picture and sound with these members.
    private func duration(_ stated: String, video: String, audio: String = "") -> Double? {
        let sound = #", {"codec_type": "audio", "codec_name": "aac"\#(audio)}"#
        return read(
            video: #""width": 2, "height": 2, \#(video)"#,
            more: sound + #", {"codec_type": "data", "duration": "90000"}"#,
            format: #""duration": "\#(stated)""#
        )?.durationSeconds
    }

    @Test(
        "An unknown or wrong duration in a movie's header gives way to that of its longest track",
        arguments: ["4294967.295000", "0.000000", "2000.0", "0.001", "N/A", "18446744073709551615"]
    )
    func wrongHeader(stated: String) {
        #expect(duration(stated, video: #""duration": "2.0""#, audio: #", "duration": "2.02""#) == 2.02)
        let late = #", "duration": "1.5", "start_time": "2.5""#
        #expect(duration(stated, video: #""duration": "2.0""#, audio: late) == 4)
    }

    @Test("A movie's header counts if it fits to the tracks, and if their durations are impossible")
    func rightHeader() {
        #expect(duration("12.5", video: #""duration": "12.48", "start_time": "0.08""#) == 12.5)
        for impossible in ["N/A", "-1", "nan", "31536000.5", "0"] {
            #expect(duration("12.5", video: "\"duration\": \"\(impossible)\"") == 12.5, "\(impossible)")
        }
        #expect(duration("12.5", video: #""duration": "9000000", "start_time": "30000000""#) == 12.5)
    }

    @Test(
        "The size of a video has square pixels, none of them lost",
        arguments: [
            ("4:3", [1920, 1080]), ("3:4", [1440, 1440]), ("1:1", [1440, 1080]), ("0:1", [1440, 1080]),
            ("1:0", [1440, 1080]), ("1000:1", [1440, 1080]), ("-4:3", [1440, 1080]), ("N/A", [1440, 1080]),
        ]
    )
    func pixelShape(ratio: String, size: [Int?]) {
        let video = "\"width\": 1440, \"height\": 1080, \"sample_aspect_ratio\": \"\(ratio)\""
        #expect(read(video: video).map { [$0.width, $0.height] } == size)
        let turned = read(video: video + #", "side_data_list": [{"rotation": -90}]"#)
        #expect(turned.map { [$0.width, $0.height] } == size.reversed())
        // Browsers show a photo's pixels as they are.
        #expect(read(video: video, as: .jpeg).map { [$0.width, $0.height] } == [1440, 1080])
    }

    @Test("The tracks that can be decoded are measured before others")
    func tracks() throws {
        let video = #""width": 2, "height": 2"#
        let others = #", {"index": 2, "codec_type": "audio", "codec_name": "vorbis"}"#
        let first = try #require(read(video: video, more: others))
        #expect((first.videoTrack, first.audioTrack, first.audioCodec) == (nil, nil, "vorbis"))
        let json =
            #"{"streams": [{"index": 0, "codec_type": "video", "codec_name": "qtrle", \#(video)}"# + others
            + #", {"index": 3, "codec_type": "video", "codec_name": "h264", "width": 4, "height": 4}"#
            + #", {"index": 5, "codec_type": "audio", "codec_name": "aac"}]}"#
        let probe = try #require(Probe(json: Array(json.utf8), format: .movie, sizeBytes: 1))
        #expect((probe.videoTrack, probe.width, probe.videoCodec) == (3, 4, "h264"))
        #expect((probe.audioTrack, probe.audioCodec) == (5, "aac"))
    }

    @Test("A photo's primary picture is measured in heif-info's output")
    func heifInfo() throws {
        let lines = "main brand: mif1\ncompatible brands: mif1, heic, miaf\n\nimage: 7x8 (id=1)\n"
        let probe = try #require(Probe(heifInfo: lines + "image: 4032x3024 (id=49), primary\n", sizeBytes: 7))
        #expect((probe.container, probe.width, probe.height, probe.videoCodec) == ("heif", 4032, 3024, "hevc"))
        #expect(probe.sizeBytes == 7 && probe.durationSeconds == nil && probe.audioCodec == nil)
        for text in ["", "4032 (id=1)", "x1 (id=1)", "-4x-4 (id=1)", "65536x2 (id=1)", "1x1x1 (id=1)", "4e1x4 (id=1)"] {
            #expect(Probe(heifInfo: lines + "image: \(text), primary", sizeBytes: 1) == nil, "\(text)")
        }
        #expect(Probe(heifInfo: lines, sizeBytes: 1) == nil)
    }

    @Test(
        "An impossible frame rate of a probe is ignored",
        arguments: ["0/0", "1/0", "0/1", "-30/1", "nan/1", "30/nan", "inf/inf", "2147483647/1", "30", "30/1/1", ""]
    )
    func frameRate(text: String) {
        let sized = #""width": 2, "height": 2, "avg_frame_rate": "#
        #expect(read(video: sized + "\"\(text)\"") != nil)
        #expect(read(video: sized + "\"\(text)\"")?.frameRate == nil)
        // The parser then uses the other frame rate.
        #expect(read(video: sized + "\"\(text)\", \"r_frame_rate\": \"24/1\"")?.frameRate == 24)
    }

    @Test(
        "Width and height of a picture are exchanged for quarter turns",
        arguments: [
            ("90", true), ("-90", true), ("270", true), ("-270", true), ("88", true), ("0", false), ("180", false),
            ("-180", false), ("-9223372036854775808", false), ("44", false), ("1e300", false), ("\"90\"", false),
        ]
    )
    func rotation(angle: String, isTurned: Bool) {
        let sideData = "\"side_data_list\": [{}, {\"rotation\": \(angle)}]"
        let ofStream = read(video: "\"width\": 2, \"height\": 1, \(sideData)")
        #expect(ofStream.map { [$0.width, $0.height] } == (isTurned ? [1, 2] : [2, 1]))
    }

    @Test(
        "A too long or malformed codec name is ignored",
        arguments: ["unknown", "none", "", String(repeating: "x", count: 33), "a b", "ä", "a\\nb"]
    )
    func names(name: String) {
        let audio = ", {\"codec_type\": \"audio\", \"codec_name\": \"\(name)\"}"
        #expect(read(more: audio) != nil)
        #expect(read(more: audio)?.audioCodec == nil)
    }

    @Test("Only QuickTime's exact brand is QuickTime")
    func brand() {
        let brand = String(repeating: "qt  ", count: 1000)
        #expect(read(format: "\"tags\": {\"major_brand\": \"\(brand)\"}")?.container == "mp4")
    }

    @Test("Sound alone has no picture, a cover does not count, and a file with neither is unreadable")
    func sound() throws {
        let cover = #"{"codec_type": "video", "width": 5, "height": 5, "disposition": {"attached_pic": 1}}"#
        let sound = #"{"codec_type": "audio", "codec_name": "aac"}"#
        let json = Array("{\"streams\": [\(cover), \(sound)], \"format\": {}}".utf8)
        let probe = try #require(Probe(json: json, format: .movie, sizeBytes: 1))
        #expect(
            probe.width == nil && probe.videoCodec == nil && probe.audioCodec == "aac" && probe.durationSeconds == nil
        )
        let video = #"{"codec_type": "video", "codec_name": "h264", "width": 5, "height": 5}"#
        let both = Array("{\"streams\": [\(video), \(sound)], \"format\": {\"duration\": \"2\"}}".utf8)
        let ofSound = try #require(Probe(json: both, format: .m4a, sizeBytes: 1))
        #expect(ofSound.width == nil && ofSound.videoCodec == nil && ofSound.durationSeconds == 2)
        #expect(ofSound.container == "mp4" && ofSound.audioCodec == "aac")
        for text in ["{\"streams\": [\(cover)]}", "{}", "[]", "", "{\"streams\": {}}", "{\"streams\": [[], 1, {}]}"] {
            #expect(Probe(json: Array(text.utf8), format: .movie, sizeBytes: 1) == nil)
        }
    }
}
