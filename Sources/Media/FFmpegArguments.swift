/// Arguments that ffprobe and ffmpeg have in common.
enum FFmpegArguments {
    /// What phones and cameras make. ffmpeg has hundreds of decoders more, and its defects are in those.
    private static let decoders = [
        "h264", "hevc", "prores", "libdav1d", "libaom-av1", "av1", "vp9", "libvpx-vp9", "mpeg4", "mjpeg",
        "aac", "alac", "mp3", "mp3float", "ac3", "eac3", "opus", "libopus", "flac",
        "pcm_s16le", "pcm_s16be", "pcm_s24le", "pcm_s24be", "pcm_s32le", "pcm_s32be", "pcm_f32le", "pcm_f32be",
    ]

    /// Before an input: one demuxer, which is not guessed; no protocol that reaches further than the file; no decoder but
    /// these; one thread, so that the processor time is the time.
    static func reading(_ format: MediaFormat) -> [String] {
        [
            "-v", "error", "-threads", "1", "-max_pixels", "\(Probe.maxPixels)", "-max_streams", "64",
            "-protocol_whitelist", "file", "-format_whitelist", format.demuxer,
            "-codec_whitelist", decoders.joined(separator: ","), "-f", format.demuxer,
        ]
    }

    /// Before the output: one thread, nothing that the file says of itself.
    static let writing = [
        "-threads", "1", "-filter_threads", "1", "-sn", "-dn", "-map_metadata", "-1", "-map_chapters", "-1",
    ]
}
