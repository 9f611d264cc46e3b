/// Common arguments of ffprobe and ffmpeg.
enum FFmpegArguments {
    /// The codecs of phones and cameras. ffmpeg has hundreds of other decoders, with most of its defects.
    private static let decoders = [
        "h264", "hevc", "prores", "libdav1d", "libaom-av1", "av1", "vp9", "libvpx-vp9", "mpeg4", "mjpeg",
        "aac", "alac", "mp3", "mp3float", "ac3", "eac3", "opus", "libopus", "flac", "pcm_u8",
        "pcm_s16le", "pcm_s16be", "pcm_s24le", "pcm_s24be", "pcm_s32le", "pcm_s32be", "pcm_f32le", "pcm_f32be",
    ]

    /// Arguments before an input. They fix one demuxer, allow only the file protocol and these decoders, and use one
    /// thread. So processor time is about elapsed time.
    static func reading(_ format: MediaFormat) -> [String] {
        [
            "-v", "error", "-threads", "1", "-max_pixels", "\(Probe.maxPixels)", "-max_streams", "64",
            "-protocol_whitelist", "file", "-format_whitelist", format.demuxer,
            "-codec_whitelist", decoders.joined(separator: ","), "-f", format.demuxer,
        ]
    }

    /// Arguments before the output: one thread, and no metadata of the file.
    static let writing = [
        "-threads", "1", "-filter_threads", "1", "-sn", "-dn", "-map_metadata", "-1", "-map_chapters", "-1",
    ]
}
