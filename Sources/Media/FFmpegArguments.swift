/// Common arguments of ffprobe and ffmpeg.
enum FFmpegArguments {
    /// The codecs of phones and cameras, each with ffmpeg's decoders. ffmpeg has hundreds of other decoders, with most
    /// of its defects.
    private static let decoders: [String: [String]] = [
        "h264": ["h264"], "hevc": ["hevc"], "prores": ["prores"], "av1": ["libdav1d", "libaom-av1", "av1"],
        "vp9": ["vp9", "libvpx-vp9"], "mpeg4": ["mpeg4"], "mjpeg": ["mjpeg"], "mpeg2video": ["mpeg2video"],
        "dvvideo": ["dvvideo"], "dnxhd": ["dnxhd"], "cfhd": ["cfhd"],
        "aac": ["aac"], "alac": ["alac"], "mp3": ["mp3", "mp3float"], "mp2": ["mp2", "mp2float"], "ac3": ["ac3"],
        "eac3": ["eac3"], "opus": ["opus", "libopus"], "flac": ["flac"],
        "amr_nb": ["amrnb", "libopencore_amrnb"], "amr_wb": ["amrwb", "libopencore_amrwb"],
        "pcm_alaw": ["pcm_alaw"], "pcm_mulaw": ["pcm_mulaw"], "pcm_u8": ["pcm_u8"], "pcm_s8": ["pcm_s8"],
        "pcm_s16le": ["pcm_s16le"], "pcm_s16be": ["pcm_s16be"], "pcm_s24le": ["pcm_s24le"],
        "pcm_s24be": ["pcm_s24be"], "pcm_s32le": ["pcm_s32le"], "pcm_s32be": ["pcm_s32be"],
        "pcm_f32le": ["pcm_f32le"], "pcm_f32be": ["pcm_f32be"],
    ]

    private static let decoderNames = decoders.values.joined().sorted()

    /// True if tracks of the codec, by ffprobe's name, may be decoded.
    static func canDecode(_ codec: String) -> Bool { decoders[codec] != nil }

    /// Arguments before an input. They fix one demuxer, allow only the file protocol and these decoders, and use one
    /// thread. So processor time is about elapsed time.
    static func reading(_ format: MediaFormat) -> [String] { reading(format.demuxer, decoderNames) }

    /// The same for a PNG that another program made of a photo.
    static let readingPNG = reading("png_pipe", ["png"])

    private static func reading(_ demuxer: String, _ decoders: [String]) -> [String] {
        [
            "-v", "error", "-threads", "1", "-max_pixels", "\(Probe.maxPixels)", "-max_streams", "64",
            "-protocol_whitelist", "file", "-format_whitelist", demuxer,
            "-codec_whitelist", decoders.joined(separator: ","), "-f", demuxer,
        ]
    }

    /// Lets ffprobe open further decoders. The name with a colon is the option of opened tracks alone: the reading of
    /// the file, which decodes frames, keeps the list above.
    static func opening(_ further: [String]) -> [String] {
        further.isEmpty ? [] : ["-codec_whitelist:", (decoderNames + further).joined(separator: ",")]
    }

    /// The picture's track: the number in the file's probe, else the first one that is no cover.
    static func picture(_ track: Int?) -> String { track.map { "0:\($0)" } ?? "0:V:0" }

    /// Arguments before the output: one thread, and no metadata of the file. A photo's colour profile is no metadata.
    static let writing = [
        "-threads", "1", "-filter_threads", "1", "-sn", "-dn", "-map_metadata", "-1", "-map_chapters", "-1",
    ]
}
